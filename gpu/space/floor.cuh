// SPDX-License-Identifier: Apache-2.0
// The floor of a discrepancy p = mult (y/e - offset) that was made before the floor was known (FloorParts).
#pragma once

namespace tof::device {

/// Sums of e added up, and the lesser of the least.
__device__ inline float2 joinSeen(float2 a, float2 b) {
    return make_float2(a.x + b.x, fminf(a.y, b.y));
}

/// Whether there are counts though no more than the floor is expected; e follows from p, which then has to
/// be -mult offset.
__device__ inline bool isBeneath(float floor, float p, float y, float mult, float offset) {
    const float e = y * mult / (p + mult * offset);
    return y != 0.0F && mult != 0.0F && e <= floor;
}

}  // namespace tof::device
