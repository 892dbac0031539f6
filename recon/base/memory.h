// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tof {

/// Bytes of this machine's memory; the largest number when the system does not say.
[[nodiscard]] std::uint64_t physicalBytes();

/// Bytes that can be had without taking them from other programs; physicalBytes() when the system does not
/// say. Changes from one moment to the next.
[[nodiscard]] std::uint64_t availableBytes();

}  // namespace tof
