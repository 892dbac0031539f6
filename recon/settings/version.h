// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// Version of this program, as CMakeLists.txt's project() has it (a test compares them).
inline constexpr const char* kVersion = "0.1.0";

}  // namespace tof
