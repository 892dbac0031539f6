// SPDX-License-Identifier: Apache-2.0
#include "recon/io/petsird/yardl_writer.h"

#include <bit>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "recon/base/error.h"

namespace tof {

using nlohmann::json;

YardlWriter::YardlWriter(const std::string& temporary, std::string path, const std::string& schema,
                         const std::string& source)
    : path_(std::move(path)), schema_(source, schema), file_(temporary, std::ios::binary) {
    buffer_ = std::string("yardl\1\0\0\0", 9);
    text(schema);
}

void YardlWriter::flush() {
    file_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    file_.flush();
    buffer_.clear();
    if (!file_) {
        throw CannotWrite("{}: cannot be written; free space or choose another folder", path_);
    }
}

void YardlWriter::text(const std::string& text) {
    number(text.size());
    buffer_ += text;
}

void YardlWriter::one(const YardlType& type, const json& value) {
    const auto bytes = [&](std::uint64_t bits, unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            buffer_ += static_cast<char>(bits >> (8 * i));
        }
    };
    const double real = value.is_number() ? value.get<double>() : 0;
    switch (type.kind) {
        case YardlKind::Unsigned: return number(value.is_number() ? value.get<std::uint64_t>() : 0);
        case YardlKind::Signed: {
            const std::int64_t whole = value.is_number() ? value.get<std::int64_t>() : 0;
            return number(static_cast<std::uint64_t>(whole) << 1U ^ (whole < 0 ? ~std::uint64_t{0} : 0));
        }
        case YardlKind::Float32: return bytes(std::bit_cast<std::uint32_t>(static_cast<float>(real)), 4);
        case YardlKind::Float64: return bytes(std::bit_cast<std::uint64_t>(real), 8);
        case YardlKind::Text: return text(value.is_string() ? value.get<std::string>() : std::string());
        default:
            return bytes(value.is_boolean()  ? std::uint64_t{value.get<bool>()}
                         : value.is_number() ? static_cast<std::uint64_t>(value.get<std::int64_t>())
                                             : 0,
                         1);
    }
}

void YardlWriter::items(const YardlType& type, const json& value) {
    const json& list = value.is_object() && value.contains("items") ? value["items"] : value;
    if (type.kind == YardlKind::Vector) {
        number(list.size());
    } else if (type.kind == YardlKind::Array) {
        const auto sizes = value.is_object() ? value.value("dimensions", std::vector<std::uint64_t>())
                                             : std::vector<std::uint64_t>(type.count, list.size());
        if (type.count == 0) {
            number(sizes.size());
        }
        for (std::size_t i = 0; i < std::max<std::size_t>(sizes.size(), type.count); ++i) {
            number(i < sizes.size() ? sizes[i] : 0);
        }
    }
    const std::uint64_t count = type.kind == YardlKind::Fixed ? type.count : list.size();
    for (std::uint64_t i = 0; i < count; ++i) {
        this->value(type.parts.front(), i < list.size() ? list[i] : json());
    }
}

void YardlWriter::value(std::size_t index, const json& value) {
    const YardlType& type = schema_.type(index);
    switch (type.kind) {
        case YardlKind::Record:
            for (std::size_t i = 0; i < type.parts.size(); ++i) {
                const auto field = value.is_object() ? value.find(type.names[i]) : value.end();
                this->value(type.parts[i], field == value.end() ? json() : *field);
            }
            return;
        case YardlKind::Vector:
        case YardlKind::Fixed:
        case YardlKind::Array: return items(type, value);
        case YardlKind::Union:
            for (std::size_t i = 0; i < type.names.size(); ++i) {
                const bool none = type.names[i].empty();
                if (none ? value.is_null() : value.is_object() && value.contains(type.names[i])) {
                    number(i);
                    return none ? void() : this->value(type.parts[i], value[type.names[i]]);
                }
            }
            number(0);
            return type.names.front().empty() ? void() : this->value(type.parts.front(), json());
        default: one(type, value);
    }
}

}  // namespace tof
