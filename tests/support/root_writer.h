// SPDX-License-Identifier: Apache-2.0
// Files of ROOT as ROOT 6 and 5 lay them out: one tree, a branch for each column.
#pragma once

#include <libdeflate.h>
#include <lz4.h>
#include <lzma.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace tof::test {

enum class RootPacking { None, Zlib, Lz4, Lzma, Zstandard };

/// A number with its highest byte first.
template <class T>
std::string highFirst(T value) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    return {bytes.rbegin(), bytes.rend()};
}

/// A branch `name` of leaves TLeafX, where X is `letter`; small letters have no sign.
struct RootColumn {
    std::string name;
    char letter;
    std::size_t width;
    std::string numbers;
    std::vector<double> values{};

    template <class T>
    RootColumn(std::string branch, char leaf, const std::vector<T>& column)
        : name(std::move(branch)), letter(leaf), width(sizeof(T)) {
        for (const T value : column) {
            numbers += highFirst(value);
            this->values.push_back(static_cast<double>(value));
        }
    }
};

struct RootShape {
    RootPacking packing = RootPacking::None;
    std::size_t basket = 1000;  ///< entries
    std::uint16_t tree = 20;    ///< version; branches are of 13 for 20, else of 12
    bool wide = false;          ///< places of 8 bytes
};

/// What is written into a key, with the positions to which classes are referred.
class RootBuffer {
  public:
    explicit RootBuffer(std::size_t keyBytes) : keyBytes_(keyBytes) {}
    std::string bytes;

    template <class T>
    void put(T value) {
        bytes += highFirst(value);
    }
    void text(const std::string& text) {
        bytes += static_cast<char>(text.size());
        bytes += text;
    }
    std::size_t begin(std::uint16_t version) {
        const std::size_t at = bytes.size();
        put<std::uint32_t>(0);
        put(version);
        return at;
    }
    std::size_t beginAny(const std::string& className) {
        const std::size_t at = bytes.size();
        put<std::uint32_t>(0);
        const auto place = static_cast<std::uint32_t>(keyBytes_ + bytes.size() + 2);
        if (const auto known = classes_.find(className); known != classes_.end()) {
            put(known->second | 0x80000000U);
        } else {
            classes_[className] = place;
            put(0xFFFFFFFFU);
            bytes += className + '\0';
        }
        return at;
    }
    void end(std::size_t at) {
        bytes.replace(at, 4, highFirst(static_cast<std::uint32_t>(bytes.size() - at - 4) | 0x40000000U));
    }
    void named(const std::string& name) {
        const std::size_t at = begin(1);
        base();
        text(name);
        text("title of " + name);
        end(at);
    }
    std::size_t beginArray(std::uint32_t count) {
        const std::size_t at = begin(3);
        base();
        text("");
        put(count);
        put<std::uint32_t>(0);
        return at;
    }

  private:
    void base() {
        put<std::uint16_t>(1);
        put<std::uint32_t>(0);
        put<std::uint32_t>(0x03000000);
    }
    std::size_t keyBytes_;
    std::map<std::string, std::uint32_t> classes_;
};

inline std::string rootPacked(const std::string& bytes, RootPacking packing) {
    if (packing == RootPacking::None) {
        return bytes;
    }
    std::string packed(2 * bytes.size() + 1000, '\0');
    std::string mark;
    std::size_t size = 0;
    if (packing == RootPacking::Zlib) {
        mark = std::string("ZL") + '\x08';
        libdeflate_compressor* const zlib = libdeflate_alloc_compressor(6);
        size = libdeflate_zlib_compress(zlib, bytes.data(), bytes.size(), packed.data(), packed.size());
        libdeflate_free_compressor(zlib);
    } else if (packing == RootPacking::Lz4) {
        mark = std::string("L4") + '\x01';
        size = static_cast<std::size_t>(LZ4_compress_default(
            bytes.data(), packed.data(), static_cast<int>(bytes.size()), static_cast<int>(packed.size())));
        packed.insert(0, highFirst(static_cast<std::uint64_t>(XXH64(packed.data(), size, 0))));
        size += sizeof(std::uint64_t);
    } else if (packing == RootPacking::Lzma) {
        mark = std::string("XZ") + '\0';
        lzma_easy_buffer_encode(5, LZMA_CHECK_CRC32, nullptr,
                                reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                                reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size());
    } else {
        mark = std::string("ZS") + '\x01';
        size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 5);
    }
    packed.resize(size);
    for (const std::size_t length : {size, bytes.size()}) {
        for (const unsigned shift : {0U, 8U, 16U}) {
            mark += static_cast<char>(length >> shift & 0xFFU);
        }
    }
    return mark + packed;
}

class RootWriter {
  public:
    explicit RootWriter(RootShape shape) : shape_(shape) {}

    /// The whole file, with `tree` as the newest cycle behind one of no entries.
    std::string file(const std::string& tree, const std::vector<RootColumn>& columns) {
        bytes_.assign(100, '\0');
        const std::string names = text(kName) + text("");
        const std::size_t folder = bytes_.size() + keyBytes("TFile", kName) + names.size();
        addKey("TFile", kName, names + std::string(60, '\0'), 60 + names.size(), 1);
        std::string keys;
        std::uint32_t count = 0;
        for (const auto& [cycle, entries] : {std::pair{1, std::size_t{0}}, std::pair{2, rows(columns)}}) {
            const std::string object = treeBytes(tree, columns, entries);
            const std::string packed = rootPacked(object, shape_.packing);
            const std::size_t at = bytes_.size();
            addKey("TTree", tree, packed, object.size(), cycle);
            keys += bytes_.substr(at, keyBytes("TTree", tree));
            ++count;
        }
        const std::size_t list = bytes_.size();
        addKey("TFile", kName, highFirst(count) + keys, 4 + keys.size(), 1);
        std::string record =
            highFirst(static_cast<std::uint16_t>(shape_.wide ? 1005 : 5)) + std::string(8, '\0') +
            highFirst(static_cast<std::uint32_t>(bytes_.size() - list)) +
            highFirst(static_cast<std::uint32_t>(folder - 100)) + place(100) + place(0) + place(list);
        bytes_.replace(folder, record.size(), record);
        const std::string head = "root" +
                                 highFirst(static_cast<std::uint32_t>(shape_.wide ? 1062400 : 62400)) +
                                 highFirst(std::uint32_t{100}) + place(bytes_.size()) + place(bytes_.size()) +
                                 std::string(8, '\0') + highFirst(static_cast<std::uint32_t>(folder - 100));
        return bytes_.replace(0, head.size(), head);
    }

  private:
    static constexpr const char* kName = "made.root";

    static std::string text(const std::string& text) {
        return std::string(1, static_cast<char>(text.size())) + text;
    }
    [[nodiscard]] std::string place(std::uint64_t at) const {
        return shape_.wide ? highFirst(at) : highFirst(static_cast<std::uint32_t>(at));
    }
    static std::size_t rows(const std::vector<RootColumn>& columns) {
        return columns.front().numbers.size() / columns.front().width;
    }
    [[nodiscard]] std::size_t keyBytes(const std::string& className, const std::string& name,
                                       std::size_t more = 0) const {
        return 18 + (shape_.wide ? 16 : 8) + className.size() + name.size() + 3 + more;
    }
    /// `more` lies between the key and its object, as in baskets.
    void addKey(const std::string& className, const std::string& name, const std::string& object,
                std::size_t size, int cycle, const std::string& more = "") {
        const std::size_t length = keyBytes(className, name, more.size());
        const std::uint64_t at = bytes_.size();
        bytes_ += highFirst(static_cast<std::uint32_t>(length + object.size())) +
                  highFirst(static_cast<std::uint16_t>(shape_.wide ? 1004 : 4)) +
                  highFirst(static_cast<std::uint32_t>(size)) + highFirst(std::uint32_t{0}) +
                  highFirst(static_cast<std::uint16_t>(length)) +
                  highFirst(static_cast<std::uint16_t>(cycle)) + place(at) + place(100) + text(className) +
                  text(name) + text("") + more + object;
    }
    std::uint64_t addBasket(const std::string& name, const std::string& numbers, std::size_t count) {
        const std::uint64_t at = bytes_.size();
        const std::size_t length = keyBytes("TBasket", name, 19);
        const std::string more = highFirst(std::uint16_t{3}) + highFirst(std::uint32_t{32000}) +
                                 highFirst(std::uint32_t{1000}) +
                                 highFirst(static_cast<std::uint32_t>(count)) +
                                 highFirst(static_cast<std::uint32_t>(length + numbers.size())) + '\0';
        addKey("TBasket", name, rootPacked(numbers, shape_.packing), numbers.size(), 0, more);
        return at;
    }

    std::string treeBytes(const std::string& name, const std::vector<RootColumn>& columns,
                          std::size_t entries) {
        RootBuffer out(keyBytes("TTree", name));
        const std::size_t whole = out.begin(shape_.tree);
        out.named(name);
        for (const std::size_t attribute : {std::size_t{6}, std::size_t{4}, std::size_t{8}}) {
            const std::size_t at = out.begin(2);
            out.bytes.append(attribute, '\x01');
            out.end(at);
        }
        const bool flushes = shape_.tree >= 18;
        const bool clusters = shape_.tree >= 19;
        out.put<std::uint64_t>(entries);
        out.bytes.append((flushes ? 4 : 3) * 8 + 8 + (shape_.tree >= 17 ? 16 : 12), '\x02');
        if (clusters) {
            out.put<std::uint32_t>(2);
        }
        out.bytes.append((flushes ? 6 : 5) * 8, '\x03');
        if (clusters) {
            out.bytes += '\x01' + std::string(16, '\x04') + '\0';
        }
        features(out);
        const std::size_t array = out.beginArray(static_cast<std::uint32_t>(columns.size() + 1));
        for (const RootColumn& column : columns) {
            addBranch(out, column, entries);
        }
        out.put<std::uint32_t>(0);  // a place of the array that is empty
        out.end(array);
        out.bytes.append(100, '\x05');  // leaves and what else a tree has
        out.end(whole);
        return out.bytes;
    }
    void features(RootBuffer& out) const {
        if (shape_.tree >= 20) {
            const std::size_t at = out.begin(0);
            out.bytes.append(5, '\x01');
            out.end(at);
        }
    }
    void addBranch(RootBuffer& out, const RootColumn& column, std::size_t entries) {
        std::vector<std::uint64_t> places;
        for (std::size_t first = 0; first < entries; first += shape_.basket) {
            const std::size_t count = std::min(shape_.basket, entries - first);
            places.push_back(addBasket(
                column.name, column.numbers.substr(first * column.width, count * column.width), count));
        }
        const auto written = static_cast<std::uint32_t>(places.size());
        const std::uint32_t most = std::max(written + 1, 10U);
        const std::size_t any = out.beginAny("TBranch");
        const std::size_t branch = out.begin(shape_.tree >= 20 ? 13 : 12);
        out.named(column.name);
        const std::size_t fill = out.begin(2);
        out.put<std::uint32_t>(0);
        out.end(fill);
        out.bytes.append(12, '\0');
        out.put(written);
        out.put<std::uint64_t>(entries);
        features(out);
        out.put<std::uint32_t>(0);
        out.put(most);
        out.put<std::uint32_t>(0);
        out.put<std::uint64_t>(entries);
        out.bytes.append(24, '\0');
        out.end(out.beginArray(0));
        const std::size_t leaves = out.beginArray(1);
        addLeaf(out, column);
        out.end(leaves);
        out.end(out.beginArray(0));
        out.bytes += '\x01' + std::string(std::size_t{4} * most, '\0') + '\x01';
        for (std::uint32_t i = 0; i < most; ++i) {
            out.put<std::uint64_t>(i < written ? i * shape_.basket : i == written ? entries : 0);
        }
        out.bytes += '\x01';
        for (std::uint32_t i = 0; i < most; ++i) {
            out.put<std::uint64_t>(i < written ? places[i] : 0);
        }
        out.text("");
        out.end(branch);
        out.end(any);
    }
    static void addLeaf(RootBuffer& out, const RootColumn& column) {
        const bool hasSign = column.letter < 'a';
        const auto capital = static_cast<char>(hasSign ? column.letter : column.letter - 'a' + 'A');
        const std::size_t any = out.beginAny(std::string("TLeaf") + capital);
        const std::size_t leaf = out.begin(1);
        const std::size_t base = out.begin(2);
        out.named(column.name);
        out.put<std::uint32_t>(1);
        out.put(static_cast<std::uint32_t>(column.width));
        out.put<std::uint32_t>(0);
        out.bytes += '\0';
        out.bytes += hasSign ? '\0' : '\x01';
        out.put<std::uint32_t>(0);
        out.end(base);
        out.bytes.append(2 * column.width, '\0');
        out.end(leaf);
        out.end(any);
    }

    RootShape shape_;
    std::string bytes_;
};

}  // namespace tof::test
