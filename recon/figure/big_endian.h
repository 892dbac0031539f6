// SPDX-License-Identifier: Apache-2.0
// Numbers in the byte order of fonts and PNG, the high byte first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "recon/base/error.h"

namespace tof {

/// The unsigned number of `count` bytes at an offset. Throws BadInput beyond the end.
[[nodiscard]] inline std::uint32_t bigEndian(std::string_view bytes, std::size_t at, std::size_t count) {
    if (at > bytes.size() || bytes.size() - at < count) {
        throw BadInput("font: ends at byte {}, where more is needed; take a whole one", bytes.size());
    }
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        value = (value << 8U) | static_cast<std::uint8_t>(bytes[at + i]);
    }
    return value;
}
[[nodiscard]] inline unsigned unsigned16(std::string_view bytes, std::size_t at) {
    return bigEndian(bytes, at, 2);
}
[[nodiscard]] inline int signed16(std::string_view bytes, std::size_t at) {
    return static_cast<std::int16_t>(bigEndian(bytes, at, 2));
}

/// Appends the lowest `count` bytes of a number.
inline void appendBigEndian(std::string& out, std::uint32_t value, std::size_t count) {
    for (std::size_t i = count; i-- > 0;) {
        out += static_cast<char>((value >> (8 * i)) & 0xffU);
    }
}
inline void append16(std::string& out, std::uint32_t value) {
    appendBigEndian(out, value, 2);
}
/// Writes two bytes over what is there.
inline void replace16(std::string& bytes, std::size_t at, std::uint32_t value) {
    bytes[at] = static_cast<char>((value >> 8U) & 0xffU);
    bytes[at + 1] = static_cast<char>(value & 0xffU);
}

}  // namespace tof
