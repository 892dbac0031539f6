// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof::device {

inline constexpr int kWarp = 32;
/// The mask of warp-wide operations that every lane takes part in.
inline constexpr unsigned kAllLanes = 0xFFFFFFFFU;

}  // namespace tof::device
