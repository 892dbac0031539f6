// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/io/petsird/yardl_bytes.h"
#include "recon/io/petsird/yardl_schema.h"

namespace tof {

/// Values in yardl's binary encoding (docs/reference/binary.md of yardl), read one after the other.
/// Throws BadInput where the file ends before, and for numbers that are none. Not thread-safe.
class YardlReader {
  public:
    /// Stands at the first step. Throws BadInput for what is not yardl's, or of another version than 1.
    explicit YardlReader(const std::string& path);
    explicit YardlReader(std::unique_ptr<YardlBytes> bytes);

    [[nodiscard]] const std::string& path() const { return bytes_->path(); }
    [[nodiscard]] const YardlSchema& schema() const { return schema_; }

    [[nodiscard]] std::uint64_t at() const { return start_ + next_; }
    /// Bytes that are not read yet.
    [[nodiscard]] std::uint64_t left() const { return bytes_->size() - std::min(at(), bytes_->size()); }
    void moveTo(std::uint64_t position);
    [[nodiscard]] std::uint8_t byte() {
        if (next_ == buffer_.size()) {
            fill();
        }
        return std::to_integer<std::uint8_t>(buffer_[next_++]);
    }
    [[nodiscard]] std::uint64_t number() {
        std::uint64_t value = byte();
        if (value < 128) {
            return value;
        }
        return longNumber(value & 127U);
    }
    /// The number of items that follow, at most as many as bytes are left.
    [[nodiscard]] std::uint64_t count();
    /// Any value; a union is null or {"case": value}, an array {"dimensions": [...], "items": [...]}.
    [[nodiscard]] nlohmann::json value(std::size_t type);
    void skip(std::size_t type);

  private:
    void fill();
    [[nodiscard]] std::uint64_t longNumber(std::uint64_t value);
    [[nodiscard]] std::string text();
    template <class T>
    [[nodiscard]] T plain();
    [[nodiscard]] std::vector<std::uint64_t> dimensions(const YardlType& type);
    [[nodiscard]] std::size_t chosen(const YardlType& type);
    [[nodiscard]] std::string readSchema();

    std::unique_ptr<YardlBytes> bytes_;
    std::vector<std::byte> buffer_;
    std::uint64_t start_ = 0;  ///< place of the buffer in the file
    std::size_t next_ = 0;
    std::uint64_t values_ = 0;
    YardlSchema schema_;
};

}  // namespace tof
