// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "recon/io/petsird/yardl_schema.h"

namespace tof {

/// Values of a schema in yardl's binary encoding (docs/reference/binary.md of yardl), written one after the
/// other. Throws CannotWrite where the file takes no more. Not thread-safe.
class YardlWriter {
  public:
    /// Begins the file `temporary` with the schema; messages name `path`. Throws BadInput, naming `source`,
    /// for what is no schema.
    YardlWriter(const std::string& temporary, std::string path, const std::string& schema,
                const std::string& source);

    [[nodiscard]] const YardlSchema& schema() const { return schema_; }

    void number(std::uint64_t value) {
        for (; value >= 128; value >>= 7U) {
            buffer_ += static_cast<char>(value | 128U);
        }
        buffer_ += static_cast<char>(value);
        if (buffer_.size() >= kBuffer) {
            flush();
        }
    }
    /// What YardlReader::value() gives; null, and fields that are not there, are 0, empty or none.
    void value(std::size_t type, const nlohmann::json& value);
    /// Call it last.
    void flush();

  private:
    static constexpr std::size_t kBuffer = std::size_t{1} << 20U;

    void text(const std::string& text);
    void one(const YardlType& type, const nlohmann::json& value);
    void items(const YardlType& type, const nlohmann::json& value);

    std::string path_;
    YardlSchema schema_;
    std::ofstream file_;
    std::string buffer_;
};

}  // namespace tof
