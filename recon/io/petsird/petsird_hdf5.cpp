// SPDX-License-Identifier: Apache-2.0
#include "recon/io/petsird/petsird_hdf5.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/hdf5/hdf5_records.h"
#include "recon/io/petsird/yardl_schema.h"

namespace tof {

namespace {

constexpr const char* kGroup = "/PETSIRD";

/// A value of a schema's type as it lies in memory.
struct Place {
    YardlKind kind = YardlKind::Byte;
    std::size_t offset = 0;  ///< in what it is a part of
    std::size_t width = 0;   ///< bytes of it
    bool isSigned = false;   ///< a whole number
    bool isFloat = false;
    std::uint64_t count = 0;     ///< as in YardlType
    std::vector<Place> parts{};  ///< fields or the items; an array's dimensions and items; a union's chooser
                                 ///< and cases
    std::map<std::uint64_t, std::size_t> cases{};  ///< a chooser's, by its number
};

std::uint64_t wholeAt(const Place& place, const std::byte* at) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, place.width);
    static_assert(std::endian::native == std::endian::little, "add a byte swap for this machine");
    const unsigned above = 64 - 8 * static_cast<unsigned>(place.width);
    return place.isSigned ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value << above) >> above)
                          : value;
}

double realAt(const Place& place, const std::byte* at) {
    return place.width == sizeof(float) ? static_cast<double>(decodeOne<float>(at, ByteOrder::Little))
                                        : decodeOne<double>(at, ByteOrder::Little);
}

void appendNumber(std::string& out, std::uint64_t value) {
    for (; value >= 128; value >>= 7U) {
        out += static_cast<char>(value | 128U);
    }
    out += static_cast<char>(value);
}

/// Finds where values of a schema lie in the library's types.
class Places {
  public:
    Places(const YardlSchema& schema, std::string path, std::string step)
        : schema_(schema), path_(std::move(path)), step_(std::move(step)) {}

    [[nodiscard]] Place of(std::size_t index, hid_t stored) const {
        const YardlType& type = schema_.type(index);
        Place place{type.kind};
        place.width = H5Tget_size(stored);
        place.count = type.count;
        switch (type.kind) {
            case YardlKind::Text: require(H5Tis_variable_str(stored) > 0); break;
            case YardlKind::Record:
                for (std::size_t i = 0; i < type.parts.size(); ++i) {
                    place.parts.push_back(member(type.parts[i], stored, type.names[i]));
                }
                break;
            case YardlKind::Vector: place.parts.push_back(items(type.parts.front(), stored)); break;
            case YardlKind::Fixed: {
                require(H5Tget_class(stored) == H5T_ARRAY);
                const h5::Handle item(H5Tget_super(stored), H5Tclose);
                place.parts.push_back(of(type.parts.front(), item.get()));
                require(place.parts.front().width * type.count == place.width);
                break;
            }
            case YardlKind::Array: addArray(type, stored, place); break;
            case YardlKind::Union: addCases(type, stored, place); break;
            default: take(stored, place);
        }
        return place;
    }

    /// A whole number in a record.
    [[nodiscard]] Place number(hid_t record, const std::string& name) const {
        Place place{YardlKind::Unsigned};
        const h5::Handle type = find(record, name, place);
        take(type.get(), place);
        return place;
    }
    /// The number in a record that chooses among the cases of `type`: an enumeration of their names, or 1 for
    /// a value that may be none.
    [[nodiscard]] Place chooser(hid_t record, const std::string& name, const YardlType& type) const {
        Place place = number(record, name);
        if (name == "has_value") {
            place.cases = {{0, 0}, {1, 1}};
            return place;
        }
        const h5::Handle names = find(record, name, place);
        require(H5Tget_class(names.get()) == H5T_ENUM);
        for (unsigned i = 0; i < static_cast<unsigned>(H5Tget_nmembers(names.get())); ++i) {
            std::array<std::byte, 8> value{};
            char* const text = H5Tget_member_name(names.get(), i);
            require(text != nullptr && H5Tget_member_value(names.get(), i, value.data()) >= 0);
            const std::string label = std::string(text) == "null" ? "" : text;
            H5free_memory(text);
            const auto found = std::find(type.names.begin(), type.names.end(), label);
            require(found != type.names.end());
            place.cases[wholeAt(place, value.data())] = static_cast<std::size_t>(found - type.names.begin());
        }
        return place;
    }
    /// The case that the number of a chooser in the record at `at` names.
    [[nodiscard]] std::size_t chosen(const Place& chooser, const std::byte* at) const {
        const auto one = chooser.cases.find(wholeAt(chooser, at + chooser.offset));
        require(one != chooser.cases.end());
        return one->second;
    }

    void require(bool asTheSchemaSays) const {
        if (!asTheSchemaSays) {
            throw BadInput("{}: '{}' is not laid out as its schema says; write it again with yardl's tools",
                           path_, step_);
        }
    }

  private:
    [[nodiscard]] h5::Handle find(hid_t stored, const std::string& name, Place& place) const {
        require(H5Tget_class(stored) == H5T_COMPOUND);
        const int at = H5Tget_member_index(stored, name.c_str());
        require(at >= 0);
        place.offset = H5Tget_member_offset(stored, static_cast<unsigned>(at));
        return {H5Tget_member_type(stored, static_cast<unsigned>(at)), H5Tclose};
    }
    [[nodiscard]] Place member(std::size_t index, hid_t stored, const std::string& name) const {
        Place where;
        const h5::Handle type = find(stored, name, where);
        Place place = of(index, type.get());
        place.offset = where.offset;
        return place;
    }
    [[nodiscard]] Place items(std::size_t index, hid_t list) const {
        require(H5Tget_class(list) == H5T_VLEN);
        const h5::Handle item(H5Tget_super(list), H5Tclose);
        return of(index, item.get());
    }
    void take(hid_t stored, Place& place) const {
        place.width = H5Tget_size(stored);
        const H5T_class_t kind = H5Tget_class(stored);
        place.isFloat = place.kind == YardlKind::Float32 || place.kind == YardlKind::Float64;
        require(place.isFloat ? kind == H5T_FLOAT : kind == H5T_INTEGER || kind == H5T_ENUM);
        require(std::has_single_bit(place.width) && place.width <= 8 && (!place.isFloat || place.width >= 4));
        place.isSigned = H5Tget_sign(stored) == H5T_SGN_2;
    }
    void addArray(const YardlType& type, hid_t stored, Place& place) const {
        if (type.count == 1) {  // a list says how long it is
            place.kind = YardlKind::Vector;
            place.parts.push_back(items(type.parts.front(), stored));
            return;
        }
        Place sizes{type.count == 0 ? YardlKind::Vector : YardlKind::Fixed};
        const h5::Handle dimensions = find(stored, "dimensions", sizes);
        const h5::Handle size(H5Tget_super(dimensions.get()), H5Tclose);
        Place one{YardlKind::Unsigned};
        take(size.get(), one);
        sizes.count = type.count;
        require(H5Tget_class(dimensions.get()) == (type.count == 0 ? H5T_VLEN : H5T_ARRAY) &&
                (type.count == 0 || H5Tget_size(dimensions.get()) == type.count * one.width));
        sizes.parts.push_back(std::move(one));
        Place data{YardlKind::Vector};
        const h5::Handle list = find(stored, "data", data);
        data.parts.push_back(items(type.parts.front(), list.get()));
        place.parts = {std::move(sizes), std::move(data)};
    }
    void addCases(const YardlType& type, hid_t stored, Place& place) const {
        const bool optional = type.parts.size() == 2 && type.names.front().empty();
        place.parts.push_back(chooser(stored, optional ? "has_value" : "$type", type));
        for (std::size_t i = 0; i < type.parts.size(); ++i) {
            place.parts.push_back(type.names[i].empty() ? Place()
                                                        : member(type.parts[i], stored, type.names[i]));
        }
    }

    const YardlSchema& schema_;
    std::string path_;
    std::string step_;
};

/// Appends values in yardl's binary encoding.
class Encoder {
  public:
    Encoder(const Places& places, std::string& out) : places_(places), out_(out) {}

    void value(const Place& place, const std::byte* at) const {
        switch (place.kind) {
            case YardlKind::Byte:
            case YardlKind::SignedByte: out_ += static_cast<char>(wholeAt(place, at)); return;
            case YardlKind::Unsigned: return appendNumber(out_, wholeAt(place, at));
            case YardlKind::Signed: {
                const std::uint64_t whole = wholeAt(place, at);
                return appendNumber(out_, whole << 1U ^ (whole >> 63U != 0 ? ~std::uint64_t{0} : 0));
            }
            case YardlKind::Float32: return raw(static_cast<float>(realAt(place, at)));
            case YardlKind::Float64: return raw(realAt(place, at));
            case YardlKind::Text: {
                const char* text = nullptr;
                std::memcpy(&text, at, sizeof(text));
                const std::size_t length = text != nullptr ? std::strlen(text) : 0;
                appendNumber(out_, length);
                out_.append(text, length);
                return;
            }
            case YardlKind::Record:
                for (const Place& field : place.parts) {
                    value(field, at + field.offset);
                }
                return;
            case YardlKind::Vector: {
                const hvl_t list = listAt(at);
                appendNumber(out_, list.len);
                return items(place.parts.front(), static_cast<const std::byte*>(list.p), list.len);
            }
            case YardlKind::Fixed: return items(place.parts.front(), at, place.count);
            case YardlKind::Array: return array(place, at);
            case YardlKind::Union: {
                const std::size_t one = places_.chosen(place.parts.front(), at);
                appendNumber(out_, one);
                const Place& chosen = place.parts[1 + one];
                return chosen.width == 0 ? void() : value(chosen, at + chosen.offset);
            }
        }
    }

  private:
    static hvl_t listAt(const std::byte* at) {
        hvl_t list{};
        std::memcpy(&list, at, sizeof(list));
        return list;
    }
    template <class T>
    void raw(T value) const {
        out_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    void items(const Place& item, const std::byte* at, std::uint64_t count) const {
        for (std::uint64_t i = 0; i < count; ++i) {
            value(item, at + i * item.width);
        }
    }
    void array(const Place& place, const std::byte* at) const {
        const Place& sizes = place.parts.front();
        const hvl_t data = listAt(at + place.parts.back().offset);
        const hvl_t told =
            sizes.kind == YardlKind::Vector ? listAt(at + sizes.offset) : hvl_t{place.count, nullptr};
        const auto* const size =
            told.p != nullptr ? static_cast<const std::byte*>(told.p) : at + sizes.offset;
        std::uint64_t all = 1;
        for (std::uint64_t i = 0; i < told.len; ++i) {
            const std::uint64_t one = wholeAt(sizes.parts.front(), size + i * sizes.parts.front().width);
            places_.require(one == 0 || all <= data.len / one);
            all *= one;
        }
        places_.require(all == data.len);
        value(sizes, at + sizes.offset);
        items(place.parts.back().parts.front(), static_cast<const std::byte*>(data.p), data.len);
    }

    const Places& places_;
    std::string& out_;
};

/// Records of one dataset, and where their values lie.
struct Stored {
    h5::Records records;
    Place place;
};

class PetsirdHdf5 : public YardlBytes {
  public:
    explicit PetsirdHdf5(std::shared_ptr<const h5::Reader> file)
        : file_(std::move(file)), schema_(file_->path(), schemaOf(*file_)) {}

    [[nodiscard]] const std::string& path() const override { return file_->path(); }
    [[nodiscard]] std::uint64_t size() const override { return size_; }
    void read(std::uint64_t at, std::vector<std::byte>& out) override {
        if (at < size_) {
            encodeAt(at);
        }
        const std::size_t from = at < size_ ? at - starts_[segment_] : bytes_.size();
        const auto* const begin = reinterpret_cast<const std::byte*>(bytes_.data());
        out.assign(begin + from, begin + std::min(bytes_.size(), from + kMostBytes));
    }

  private:
    static constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
    static constexpr std::size_t kNoSegment = std::numeric_limits<std::size_t>::max();
    struct IndexEntry {
        std::size_t one = 0;  ///< the case
        std::uint64_t offset = 0;
    };

    static std::string schemaOf(const h5::Reader& file) {
        if (file.whole(kGroup, "$yardl_format_version") != 1U) {
            throw BadInput("{}: is not of version 1 of yardl's HDF5; write it so", file.path());
        }
        return file.text(std::string(kGroup) + "/$yardl_schema");
    }

    /// Encodes the segment that holds the byte `at`: the schema, the header, each block, and the end.
    void encodeAt(std::uint64_t at) {
        if (!(at >= starts_.back())) {
            const auto above = std::upper_bound(starts_.begin(), starts_.end(), at);
            return encode(static_cast<std::size_t>(above - starts_.begin()) - 1);
        }
        for (std::size_t next = starts_.size() - 1; at < size_ && at >= starts_.back(); ++next) {
            encode(next);
            starts_.push_back(starts_.back() + bytes_.size());
            if (next > 1 && next == 2 + blocks().size()) {
                size_ = starts_.back();
            }
        }
    }
    void encode(std::size_t segment) {
        if (segment == segment_) {
            return;
        }
        bytes_.clear();
        segment_ = kNoSegment;  // until all of it is there
        if (segment == 0) {
            bytes_ = std::string("yardl\1\0\0\0", 9);
            appendNumber(bytes_, schema_.text().size());
            bytes_ += schema_.text();
        } else if (segment == 1) {
            Stored header = stored("header", schema_.step("header"));
            append(header, "header", 0);
        } else if (segment - 2 < blocks().size()) {
            encodeBlock(segment - 2);
        } else {
            appendNumber(bytes_, 0);
        }
        segment_ = segment;
    }
    void append(Stored& from, const std::string& name, std::uint64_t row) {
        Encoder(Places(schema_, path(), name), bytes_).value(from.place, from.records.read(row, 1));
    }
    [[nodiscard]] Stored stored(const std::string& name, std::size_t type) const {
        h5::Records records(*file_, std::string(kGroup) + "/" + name);
        Place place = Places(schema_, path(), name).of(type, records.type());
        return {std::move(records), std::move(place)};
    }

    /// The records of which blocks are told.
    h5::Records& blocks() {
        if (!index_) {
            index_.emplace(*file_, std::string(kGroup) + "/timeBlocks/$index");
        }
        return *index_;
    }
    void encodeBlock(std::uint64_t block) {
        const YardlType& type = schema_.type(schema_.step("timeBlocks"));
        const IndexEntry entry = entryOf(type, block);
        const std::string name = "timeBlocks/" + type.names[entry.one];
        auto found = cases_.find(entry.one);
        if (found == cases_.end()) {
            found = cases_.emplace(entry.one, stored(name, type.parts[entry.one])).first;
        }
        appendNumber(bytes_, 1);
        appendNumber(bytes_, entry.one);
        append(found->second, name, entry.offset);
    }
    [[nodiscard]] IndexEntry entryOf(const YardlType& type, std::uint64_t block) {
        if (block < firstEntry_ || block >= firstEntry_ + entries_.size()) {
            const std::uint64_t atATime = std::max<std::uint64_t>(kMostBytes / blocks().bytes(), 1);
            const std::uint64_t count = std::min(atATime, blocks().size() - block);
            const std::byte* at = blocks().read(block, count);
            const Places places(schema_, path(), "timeBlocks/$index");
            const Place one = places.chooser(blocks().type(), "type", type);
            const Place offset = places.number(blocks().type(), "offset");
            entries_.clear();
            for (std::uint64_t i = 0; i < count; ++i, at += blocks().bytes()) {
                entries_.push_back({places.chosen(one, at), wholeAt(offset, at + offset.offset)});
            }
            firstEntry_ = block;
        }
        return entries_[block - firstEntry_];
    }

    std::shared_ptr<const h5::Reader> file_;
    YardlSchema schema_;
    std::uint64_t size_ = std::numeric_limits<std::uint64_t>::max() / 2;
    std::vector<std::uint64_t> starts_{0};  ///< where segments begin, as far as they were encoded
    std::size_t segment_ = kNoSegment;      ///< the one in bytes_
    std::string bytes_;
    std::optional<h5::Records> index_;
    std::map<std::size_t, Stored> cases_;
    std::vector<IndexEntry> entries_;
    std::uint64_t firstEntry_ = 0;
};

}  // namespace

std::shared_ptr<const h5::Reader> openPetsirdHdf5(const FileStart& start) {
    if (start.bytes.find("$yardl_schema") == std::string::npos || !h5::isHdf5(start.bytes)) {
        return nullptr;
    }
    auto file = std::make_shared<const h5::Reader>(start.path);
    return file->has(kGroup) ? std::move(file) : nullptr;
}

std::unique_ptr<YardlBytes> petsirdHdf5(std::shared_ptr<const h5::Reader> file) {
    return std::make_unique<PetsirdHdf5>(std::move(file));
}

}  // namespace tof
