// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tof {

/// The most bytes that packRuns() makes of so many.
[[nodiscard]] constexpr std::size_t mostByRuns(std::size_t bytes) {
    constexpr std::size_t kHead = 5;  // of what is stored together
    return bytes + kHead * (bytes / 65535 + 2) + 1;
}

/// Writes `bytes` at `out` as parts of a deflate stream (RFC 1951) that others follow: long runs of one byte
/// as matches, all else as it is. For bytes that hardly repeat otherwise, as the last ones of measured
/// numbers: deflate looks long for what it does not find there, and this passes at the speed of memory. The
/// stream must have ended at a whole byte, and does so again. Returns the end of what is written. Safe to
/// call from any thread.
[[nodiscard]] std::uint8_t* packRuns(std::span<const std::uint8_t> bytes, std::uint8_t* out);

}  // namespace tof
