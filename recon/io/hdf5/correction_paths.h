// SPDX-License-Identifier: Apache-2.0
// Where files of every form keep what corrects their counts.
#pragma once

namespace tof {

inline constexpr const char* kMultPath = "/corrections/mult";
inline constexpr const char* kAddPath = "/corrections/add";

}  // namespace tof
