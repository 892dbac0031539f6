// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/ring/ring_kernels.h"

namespace tof::device {

/// Exponent of the fixed point's unit: no sum of all data of a part, each through the longest way in a voxel,
/// reaches 2^62 units. `largest`: bits of the largest |datum|.
__device__ inline int fixedExponent(const RingPart& part, unsigned largest) {
    constexpr int kFixedBits = 62;
    double way = 0;
    for (int k = 0; k < 3; ++k) {
        way += part.op.grid.spacing[k];
    }
    const double bound = static_cast<double>(__uint_as_float(largest)) * way *
                         static_cast<double>(part.data) * part.radialRays * part.axialRays;
    return kFixedBits - 1 - ilogb(bound);
}

}  // namespace tof::device
