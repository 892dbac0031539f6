// SPDX-License-Identifier: Apache-2.0
// The sum over scatter points and pairs of detectors on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "recon/corrections/scatter_sums.h"

namespace tof::device {

/// ScatterProblem with pointers to device memory. A parameter of kernels.
struct ScatterArrays {
    ScatterTables tables;
    std::uint32_t detectors;
    std::uint32_t points;
    const double* strengths;
    const ScatterRay* rays;
    const float* activity;
    const ScatterPair* pairs;
    double first_mm;
    std::int32_t places;
    float* values;
};

/// Fills the sums of pairs [first, first + count).
void addUpScatter(const ScatterArrays& arrays, std::size_t first, std::size_t count, cudaStream_t stream);

}  // namespace tof::device
