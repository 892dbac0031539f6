// SPDX-License-Identifier: Apache-2.0
// Element-wise arithmetic of the algorithms, shared by host and device (design section 5).
#pragma once

#include "recon/base/hd.h"

namespace tof {

/// Expected counts below this share of the block's mean are taken as "nothing is expected here".
inline constexpr float kExpectedFloor = 1e-9F;
/// RAMLA never shrinks a voxel below this factor in one update.
inline constexpr float kSmallestFactor = 0.1F;
/// Voxels whose sensitivity is below this share of the largest are not seen: zero at a uniform start, and
/// left as they are by updates.
inline constexpr float kSensitivityFloor = 1e-6F;

[[nodiscard]] TOF_HD inline float expectedCounts(float projected, float mult, float add) {
    return mult * projected + add;
}

/// mult (y/e - offset) with y/e = 0 where mult = 0 or e <= floor; offset 1 or 0. Written without branches, so
/// that host compilers turn loops over it into vector code; so are the two below.
[[nodiscard]] TOF_HD inline float weightedDiscrepancy(float y, float e, float mult, float floor,
                                                      float offset) {
    const bool expected = static_cast<int>(mult != 0.0F) & static_cast<int>(e > floor);
    const float ratio = (expected ? y : 0.0F) / (expected ? e : 1.0F);
    return mult * (ratio - offset);
}

/// Whether the data say anything about a voxel of sensitivity s.
[[nodiscard]] TOF_HD inline bool seen(float s, float floor) {
    return static_cast<bool>(static_cast<int>(s >= floor) & static_cast<int>(s > 0.0F));
}

/// One voxel of RAMLA: x max(1 + lambda c / (s/blocks), 0.1), unchanged where s < floor.
[[nodiscard]] TOF_HD inline float ramlaVoxel(float x, float c, float s, float blocks, float floor,
                                             float lambda) {
    const bool known = seen(s, floor);
    const float factor = 1.0F + lambda * c * blocks / (known ? s : 1.0F);
    const float bounded = factor > kSmallestFactor ? factor : kSmallestFactor;
    return x * (known ? bounded : 1.0F);
}

/// One voxel of OSEM or MLEM: x c / s, unchanged where s < floor.
[[nodiscard]] TOF_HD inline float emVoxel(float x, float c, float s, float floor) {
    const bool known = seen(s, floor);
    return x * (known ? c : 1.0F) / (known ? s : 1.0F);
}

}  // namespace tof
