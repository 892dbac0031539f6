// SPDX-License-Identifier: Apache-2.0
#include "recon/io/root/root_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "recon/base/error.h"
#include "recon/io/root/root_cursor.h"
#include "recon/io/root/root_packing.h"

namespace tof {

namespace {

constexpr std::size_t kLongestKey = 1024;

/// The bytes from `at` on, as many as there are of `most`.
std::vector<std::byte> bytesFrom(const RandomFile& file, std::uint64_t at, std::uint64_t most,
                                 const char* what) {
    if (at >= file.size()) {
        throw BadInput("{}: {} should lie at {}, beyond the end of the file; copy or make it again",
                       file.path(), what, at);
    }
    std::vector<std::byte> bytes(std::min(most, file.size() - at));
    file.read(at, bytes, what);
    return bytes;
}

/// Big-endian numbers of type Stored as double.
template <class Stored>
void swapped(const std::byte* bytes, std::span<double> out) {
    using Bits = std::conditional_t<
        sizeof(Stored) == 1, std::uint8_t,
        std::conditional_t<sizeof(Stored) == 2, std::uint16_t,
                           std::conditional_t<sizeof(Stored) == 4, std::uint32_t, std::uint64_t>>>;
    for (std::size_t i = 0; i < out.size(); ++i) {
        Bits bits{};
        std::memcpy(&bits, bytes + i * sizeof(Bits), sizeof(Bits));
        if constexpr (sizeof(Bits) == 2) {
            bits = __builtin_bswap16(bits);
        } else if constexpr (sizeof(Bits) == 4) {
            bits = __builtin_bswap32(bits);
        } else if constexpr (sizeof(Bits) == 8) {
            bits = __builtin_bswap64(bits);
        }
        out[i] = static_cast<double>(std::bit_cast<Stored>(bits));
    }
}

void decode(const std::byte* bytes, NumberType type, std::span<double> out) {
    switch (type) {
        case NumberType::Int8: return swapped<std::int8_t>(bytes, out);
        case NumberType::UInt8: return swapped<std::uint8_t>(bytes, out);
        case NumberType::Int16: return swapped<std::int16_t>(bytes, out);
        case NumberType::UInt16: return swapped<std::uint16_t>(bytes, out);
        case NumberType::Int32: return swapped<std::int32_t>(bytes, out);
        case NumberType::UInt32: return swapped<std::uint32_t>(bytes, out);
        case NumberType::Int64: return swapped<std::int64_t>(bytes, out);
        case NumberType::UInt64: return swapped<std::uint64_t>(bytes, out);
        case NumberType::Float32: return swapped<float>(bytes, out);
        case NumberType::Float64: return swapped<double>(bytes, out);
    }
}

}  // namespace

RootFile::Key RootFile::readKey(RootCursor& cursor) {
    constexpr std::uint16_t kWide = 1000;
    Key key;
    key.stored = cursor.number<std::uint32_t>();
    const PlaceSize places = cursor.number<std::uint16_t>() > kWide ? PlaceSize::Wide : PlaceSize::Narrow;
    key.size = cursor.number<std::uint32_t>();
    cursor.skip(sizeof(std::uint32_t));  // when it was written
    key.length = cursor.number<std::uint16_t>();
    key.cycle = cursor.number<std::uint16_t>();
    key.at = cursor.place(places);
    static_cast<void>(cursor.place(places));
    key.className = cursor.text();
    key.name = cursor.text();
    static_cast<void>(cursor.text());
    if (key.stored < key.length) {
        cursor.fail("has a key that is longer than what it holds");
    }
    return key;
}

std::vector<RootFile::Key> RootFile::topKeys() const {
    constexpr std::uint32_t kWideFile = 1'000'000;
    constexpr std::uint16_t kWideFolder = 1000;
    constexpr std::size_t kHead = 64;
    const std::vector<std::byte> head = bytesFrom(file_, 0, kHead, "the header");
    RootCursor file(path(), "the header", head);
    file.skip(sizeof(std::uint32_t));
    const PlaceSize places = file.number<std::uint32_t>() >= kWideFile ? PlaceSize::Wide : PlaceSize::Narrow;
    const auto begin = file.number<std::uint32_t>();
    const std::uint64_t end = file.place(places);
    static_cast<void>(file.place(places));
    file.skip(2 * sizeof(std::uint32_t));
    const auto nameBytes = file.number<std::uint32_t>();
    if (end > file_.size()) {
        throw BadInput("{}: is truncated, {} of its {} bytes are there; copy or make it again", path(),
                       file_.size(), end);
    }
    const std::vector<std::byte> bytes =
        bytesFrom(file_, std::uint64_t{begin} + nameBytes, kHead, "the folder");
    RootCursor folder(path(), "the folder", bytes);
    const PlaceSize ofFolder =
        folder.number<std::uint16_t>() > kWideFolder ? PlaceSize::Wide : PlaceSize::Narrow;
    folder.skip(2 * sizeof(std::uint32_t));
    const auto listBytes = folder.number<std::uint32_t>();
    folder.skip(sizeof(std::uint32_t));
    static_cast<void>(folder.place(ofFolder));
    static_cast<void>(folder.place(ofFolder));
    const std::vector<std::byte> list =
        bytesFrom(file_, folder.place(ofFolder), listBytes, "the list of keys");
    RootCursor keys(path(), "the list of keys", list);
    static_cast<void>(readKey(keys));
    std::vector<Key> found;
    for (auto count = keys.number<std::uint32_t>(); count > 0; --count) {
        found.push_back(readKey(keys));
    }
    return found;
}

std::vector<std::byte> RootFile::object(const Key& key) const {
    std::vector<std::byte> stored =
        bytesFrom(file_, key.at + key.length, key.stored - key.length, "a stored object");
    return stored.size() == key.size ? stored : rootUnpacked(path(), stored, key.size);
}

RootFile::RootFile(const std::string& path) : file_(path) {
    std::vector<Key> newest;
    for (const Key& key : topKeys()) {
        const auto same =
            std::find_if(newest.begin(), newest.end(), [&](const Key& one) { return one.name == key.name; });
        if (key.className != "TTree") {
            continue;
        }
        if (same == newest.end()) {
            newest.push_back(key);
        } else if (same->cycle < key.cycle) {
            *same = key;
        }
    }
    for (const Key& key : newest) {
        const std::vector<std::byte> bytes = object(key);
        RootCursor cursor(path, "a tree", bytes, key.length);
        trees_.push_back(readRootTree(cursor));
        trees_.back().name = key.name;
    }
}

RootFile::Key RootFile::basketKey(const RootBasket& basket) const {
    const std::vector<std::byte> bytes = bytesFrom(file_, basket.at, kLongestKey, "a basket");
    RootCursor cursor(path(), "a basket", bytes);
    Key key = readKey(cursor);
    cursor.skip(sizeof(std::uint16_t) + 2 * sizeof(std::uint32_t));  // version, room
    const auto entries = cursor.number<std::uint32_t>();
    key.last = cursor.number<std::uint32_t>();
    if (entries != basket.count) {
        throw BadInput("{}: a basket of '{}' holds {} entries, its tree says {}; write the file again",
                       path(), key.name, entries, basket.count);
    }
    return key;
}

void RootFile::readBasket(const RootBranch& branch, const RootBasket& basket, std::uint64_t first,
                          std::span<double> out, RootUnpackedBasket& kept) const {
    const std::size_t width = numberBytes(branch.type);
    const std::uint64_t skipped = (first - basket.first) * width;
    if (kept.at == basket.at && kept.numbers.size() >= basket.count * width) {
        return decode(kept.numbers.data() + skipped, branch.type, out);
    }
    const Key key = basketKey(basket);
    if (key.last < key.length || key.last - key.length != basket.count * width ||
        key.size < basket.count * width) {
        throw BadInput("{}: a basket of '{}' does not hold {} numbers of {} bytes; write the file again",
                       path(), branch.name, basket.count, width);
    }
    if (key.stored - key.length == key.size) {
        std::vector<std::byte> bytes(out.size() * width);
        file_.read(basket.at + key.length + skipped, bytes, "a basket");
        return decode(bytes.data(), branch.type, out);
    }
    Key here = key;
    here.at = basket.at;
    kept = {basket.at, object(here)};
    decode(kept.numbers.data() + skipped, branch.type, out);
}

void RootFile::read(const RootBranch& branch, std::uint64_t first, std::span<double> out,
                    RootUnpackedBasket& kept) const {
    auto basket = std::upper_bound(
        branch.baskets.begin(), branch.baskets.end(), first,
        [](std::uint64_t entry, const RootBasket& one) { return entry < one.first + one.count; });
    while (!out.empty()) {
        if (basket == branch.baskets.end()) {
            throw InternalError("entries of a branch are asked for that it does not have");
        }
        const std::uint64_t here = std::min<std::uint64_t>(out.size(), basket->first + basket->count - first);
        readBasket(branch, *basket, first, out.first(here), kept);
        out = out.subspan(here);
        first += here;
        ++basket;
    }
}

}  // namespace tof
