// SPDX-License-Identifier: Apache-2.0
// Bytes at a place of an open file, all of them, whoever else reads there. Safe to call from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tof {

/// Fills `out` from byte `at` on. Returns the system's fault, EIO where the file ends before; 0: none.
[[nodiscard]] int readWhole(int file, std::uint64_t at, std::span<std::byte> out);
/// Writes `bytes` from byte `at` on. Returns the system's fault; 0: none.
[[nodiscard]] int writeWhole(int file, std::uint64_t at, std::span<const std::byte> bytes);

}  // namespace tof
