// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tof {

/// Bytes of this machine's memory; the largest number when the system does not say.
[[nodiscard]] std::uint64_t physicalBytes();

}  // namespace tof
