// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tof {

/// Numbers as HDF5's filters shuffle and deflate store them: the first bytes of all, then the second ones and
/// so on, as a zlib stream. libdeflate makes and reads these at several times zlib's speed. Safe to call from
/// any thread.

/// `bytes` holds numbers of `width` bytes each. Empty when that is not smaller than what it was.
[[nodiscard]] std::vector<std::uint8_t> packed(std::span<const std::uint8_t> bytes, std::size_t width);

/// Fills `bytes`; false, with anything there, unless `stream` holds exactly as many.
[[nodiscard]] bool unpack(std::span<const std::uint8_t> stream, std::size_t width,
                          std::span<std::uint8_t> bytes);

}  // namespace tof
