// SPDX-License-Identifier: Apache-2.0
// Element-wise arithmetic of the algorithms, shared by host and device (docs/model.md section 3).
#pragma once

#include <variant>

#include "recon/base/hd.h"

namespace tof {

/// Expected counts below this share of the block's mean are taken as "nothing is expected here".
inline constexpr float kExpectedFloor = 1e-9F;
/// RAMLA never shrinks a voxel below this factor in one update.
inline constexpr float kSmallestFactor = 0.1F;
/// Voxels whose sensitivity is below this share of the largest are not seen: zero at a uniform start, and
/// left as they are by updates.
inline constexpr float kSensitivityFloor = 1e-6F;

/// The floor for data of which `total` counts are expected in `size` of them.
[[nodiscard]] inline float expectedFloor(double total, double size) {
    return kExpectedFloor * static_cast<float>(total / (size > 1 ? size : 1));
}

[[nodiscard]] TOF_HD inline float expectedCounts(float projected, float mult, float add) {
    return mult * projected + add;
}

/// mult (y/e - offset) with y/e = 0 where mult = 0 or e <= floor; offset 1 or 0. Written without branches, so
/// that host compilers turn loops over it into vector code; so are the steps below.
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

/// A relaxed step along a correction: x max(1 + lambda c / (s/blocks), 0.1), unchanged where s < floor.
struct RelaxedStep {
    float blocks = 1;
    float floor = 0;

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float lambda) const {
        const bool known = seen(s, floor);
        const float factor = 1.0F + lambda * c * blocks / (known ? s : 1.0F);
        const float bounded = factor > kSmallestFactor ? factor : kSmallestFactor;
        return x * (known ? bounded : 1.0F);
    }
};

/// A multiplicative step: x c / s, unchanged where s < floor.
struct RatioStep {
    float floor = 0;

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float /*lambda*/) const {
        const bool known = seen(s, floor);
        return x * (known ? c : 1.0F) / (known ? s : 1.0F);
    }
};

/// How a voxel of value x changes by a correction c, a sensitivity s and a number lambda that all voxels
/// share, in one pass over memory. Host and device compile the same formula: that of a new algorithm is a
/// struct here and an entry of this list, and no space changes.
using VoxelUpdate = std::variant<RelaxedStep, RatioStep>;

}  // namespace tof
