// SPDX-License-Identifier: Apache-2.0
// Element-wise arithmetic of the algorithms, shared by host and device (design section 5).
#pragma once

#include "recon/core/hd.h"

namespace tof {

/// Expected counts below this share of the block's mean are taken as "nothing is expected here".
inline constexpr float kExpectedFloor = 1e-9F;
/// RAMLA never shrinks a voxel below this factor in one update.
inline constexpr float kSmallestFactor = 0.1F;
/// Voxels whose sensitivity is below this share of the largest are left as they are.
inline constexpr float kSensitivityFloor = 1e-6F;

[[nodiscard]] TOF_HD inline float expectedCounts(float projected, float mult, float add) {
    return mult * projected + add;
}

/// mult (y/e - offset) with y/e = 0 where mult = 0 or e <= floor; offset 1 or 0.
[[nodiscard]] TOF_HD inline float weightedDiscrepancy(float y, float e, float mult, float floor,
                                                      float offset) {
    const float ratio = (mult == 0.0F || !(e > floor)) ? 0.0F : y / e;
    return mult * (ratio - offset);
}

/// One voxel of RAMLA: x max(1 + lambda c / (s/blocks), 0.1), unchanged where s < floor.
[[nodiscard]] TOF_HD inline float ramlaVoxel(float x, float c, float s, float blocks, float floor,
                                             float lambda) {
    if (s < floor || !(s > 0.0F)) {
        return x;
    }
    const float factor = 1.0F + lambda * c * blocks / s;
    return x * (factor > kSmallestFactor ? factor : kSmallestFactor);
}

/// One voxel of OSEM or MLEM: x c / s, unchanged where s < floor.
[[nodiscard]] TOF_HD inline float emVoxel(float x, float c, float s, float floor) {
    return (s < floor || !(s > 0.0F)) ? x : x * c / s;
}

}  // namespace tof
