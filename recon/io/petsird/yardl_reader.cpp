// SPDX-License-Identifier: Apache-2.0
#include "recon/io/petsird/yardl_reader.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/bytes/random_file.h"
#include "recon/io/bytes/raw_numbers.h"

namespace tof {

namespace {

using nlohmann::json;

constexpr std::size_t kBuffer = std::size_t{1} << 20U;
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 26U;

class BinaryFile : public YardlBytes {
  public:
    explicit BinaryFile(const std::string& path) : file_(path) {}
    [[nodiscard]] const std::string& path() const override { return file_.path(); }
    [[nodiscard]] std::uint64_t size() const override { return file_.size(); }
    void read(std::uint64_t at, std::vector<std::byte>& out) override {
        out.resize(std::min<std::uint64_t>(kBuffer, file_.size() - std::min(at, file_.size())));
        if (!out.empty()) {
            file_.read(at, out, "what follows");
        }
    }

  private:
    RandomFile file_;
};

}  // namespace

YardlReader::YardlReader(const std::string& path) : YardlReader(std::make_unique<BinaryFile>(path)) {}

YardlReader::YardlReader(std::unique_ptr<YardlBytes> bytes)
    : bytes_(std::move(bytes)), schema_(bytes_->path(), readSchema()) {}

std::string YardlReader::readSchema() {
    constexpr std::array<std::uint8_t, 9> kStart{'y', 'a', 'r', 'd', 'l', 1, 0, 0, 0};
    for (const std::uint8_t expected : kStart) {
        if (byte() != expected) {
            throw BadInput("{}: is not of version 1 of yardl's binary encoding; write it so", path());
        }
    }
    return text();
}

void YardlReader::fill() {
    start_ += buffer_.size();
    next_ = 0;
    bytes_->read(start_, buffer_);
    if (buffer_.empty()) {
        throw BadInput("{}: is truncated after {} bytes; copy or make it again", path(), start_);
    }
}

void YardlReader::moveTo(std::uint64_t position) {
    if (position > bytes_->size()) {
        throw BadInput("{}: is truncated, it should have at least {} bytes; copy or make it again", path(),
                       position);
    }
    if (position >= start_ && position <= start_ + buffer_.size()) {
        next_ = position - start_;
        return;
    }
    start_ = position;
    buffer_.clear();
    next_ = 0;
}

std::uint64_t YardlReader::longNumber(std::uint64_t value) {
    constexpr unsigned kBits = 64;
    for (unsigned shift = 7; shift < kBits; shift += 7) {
        const std::uint64_t next = byte();
        value |= (next & 127U) << shift;
        if (next < 128) {
            return value;
        }
    }
    throw BadInput("{}: holds a number of more than 64 bits before byte {}; make it again", path(), at());
}

std::uint64_t YardlReader::count() {
    const std::uint64_t items = number();
    if (items > left()) {
        throw BadInput("{}: announces {} items at byte {}, more than the file holds; copy or make it again",
                       path(), items, at());
    }
    return items;
}

std::string YardlReader::text() {
    std::string result;
    for (std::uint64_t left = count(); left > 0; --left) {
        result += static_cast<char>(byte());
    }
    return result;
}

template <class T>
T YardlReader::plain() {
    std::array<std::byte, sizeof(T)> bytes{};
    for (std::byte& one : bytes) {
        one = static_cast<std::byte>(byte());
    }
    return decodeOne<T>(bytes.data(), ByteOrder::Little);
}

std::vector<std::uint64_t> YardlReader::dimensions(const YardlType& type) {
    constexpr std::uint64_t kMost = 16;
    const std::uint64_t rank = type.count > 0 ? type.count : number();
    std::vector<std::uint64_t> result;
    std::uint64_t items = 1;
    for (std::uint64_t i = 0; i < rank; ++i) {
        result.push_back(count());
        if (rank > kMost || (result.back() > 0 && items > left() / result.back())) {
            throw BadInput("{}: has an array that is larger than the file; copy or make it again", path());
        }
        items *= result.back();
    }
    return result;
}

std::size_t YardlReader::chosen(const YardlType& type) {
    const std::uint64_t index = number();
    if (index >= type.parts.size()) {
        throw BadInput("{}: chooses case {} of {} before byte {}; make it again", path(), index,
                       type.parts.size(), at());
    }
    return index;
}

json YardlReader::value(std::size_t index) {
    if (++values_ > kMostValues) {
        throw BadInput("{}: its header holds more than {} values; leave efficiencies of module pairs out",
                       path(), kMostValues);
    }
    const YardlType& type = schema_.type(index);
    const auto items = [&](std::uint64_t count) {
        json list = json::array();
        for (std::uint64_t i = 0; i < count; ++i) {
            list.push_back(value(type.parts.front()));
        }
        return list;
    };
    switch (type.kind) {
        case YardlKind::Byte: return byte();
        case YardlKind::SignedByte: return static_cast<std::int8_t>(byte());
        case YardlKind::Unsigned: return number();
        case YardlKind::Signed: {
            const std::uint64_t folded = number();
            return static_cast<std::int64_t>(folded >> 1U ^ (~(folded & 1U) + 1U));
        }
        case YardlKind::Float32: return plain<float>();
        case YardlKind::Float64: return plain<double>();
        case YardlKind::Text: return text();
        case YardlKind::Vector: return items(count());
        case YardlKind::Fixed: return items(type.count);
        case YardlKind::Array: {
            const std::vector<std::uint64_t> sizes = dimensions(type);
            std::uint64_t all = 1;
            for (const std::uint64_t size : sizes) {
                all *= size;
            }
            return {{"dimensions", sizes}, {"items", items(all)}};
        }
        case YardlKind::Union: {
            const std::size_t one = chosen(type);
            return type.names[one].empty() ? json() : json{{type.names[one], value(type.parts[one])}};
        }
        case YardlKind::Record: {
            json object = json::object();
            for (std::size_t i = 0; i < type.parts.size(); ++i) {
                object[type.names[i]] = value(type.parts[i]);
            }
            return object;
        }
    }
    throw InternalError("a kind of yardl is not read");
}

void YardlReader::skip(std::size_t index) {
    const YardlType& type = schema_.type(index);
    const auto items = [&](std::uint64_t count) {
        const YardlKind kind = schema_.type(type.parts.front()).kind;
        const std::uint64_t width = kind == YardlKind::Float32 ? 4 : kind == YardlKind::Float64 ? 8 : 0;
        if (width > 0) {
            return moveTo(at() + count * width);
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            skip(type.parts.front());
        }
    };
    switch (type.kind) {
        case YardlKind::Byte:
        case YardlKind::SignedByte: static_cast<void>(byte()); break;
        case YardlKind::Unsigned:
        case YardlKind::Signed: static_cast<void>(number()); break;
        case YardlKind::Float32: moveTo(at() + sizeof(float)); break;
        case YardlKind::Float64: moveTo(at() + sizeof(double)); break;
        case YardlKind::Text: {
            const std::uint64_t length = count();
            moveTo(at() + length);
            break;
        }
        case YardlKind::Vector: items(count()); break;
        case YardlKind::Fixed: items(type.count); break;
        case YardlKind::Array: {
            std::uint64_t all = 1;
            for (const std::uint64_t size : dimensions(type)) {
                all *= size;
            }
            items(all);
            break;
        }
        case YardlKind::Union: {
            const std::size_t one = chosen(type);
            if (!type.names[one].empty()) {
                skip(type.parts[one]);
            }
            break;
        }
        case YardlKind::Record:
            for (const std::size_t part : type.parts) {
                skip(part);
            }
    }
}

}  // namespace tof
