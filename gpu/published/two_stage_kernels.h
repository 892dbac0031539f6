// SPDX-License-Identifier: Apache-2.0
// The two-stage scheme that both papers cite: resample along the view's own axes, convolve line by line,
// resample back.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/histo/gather.h"
#include "gpu/space/device_span.h"
#include "recon/seam/space.h"

namespace tof::device {

/// The lattice and the grid along u, r, a that a view is resampled to; both share their centre.
struct TwoStageShape {
    int size[3] = {0, 0, 0};     ///< lattice
    int aligned[3] = {0, 0, 0};  ///< along u, r, a; u fastest
    /// Lattice index of aligned index (i, j, k): start + i step[0] + j step[1] + k step[2].
    float start[3] = {0, 0, 0};
    float step[3][3] = {};
    /// Aligned index of lattice index (x, y, z): back + x toAligned[0] + ...
    float back[3] = {0, 0, 0};
    float toAligned[3][3] = {};
    int neighbours = 2;  ///< aligned points within a voxel's reach lie this far at most
    float weight = 1;    ///< aligned cell volume over voxel volume
};

/// aligned[a] = sum_j tri(x_a - j) volume[j].
void sampleAligned(cudaStream_t stream, const TwoStageShape& shape, DeviceSpan<const float> volume,
                   DeviceSpan<float> aligned);
/// volume[j] = (or +=) weight sum_a tri(x_a - j) aligned[a]: its transpose.
void spreadAligned(cudaStream_t stream, const TwoStageShape& shape, DeviceSpan<const float> aligned,
                   DeviceSpan<float> volume, Write write);

/// A convolution along one axis of the aligned grid.
struct LineKernel {
    int axis = 0;
    int reach = 0;
    DeviceSpan<const float> values;       ///< [row][2 reach + 1]
    DeviceSpan<const std::int32_t> rows;  ///< by aligned index along r; empty: one kernel
    Gather gather = Gather::ByTarget;  ///< BySource: the row of i + q and the kernel mirrored, the transpose
};
/// to[i] = sum_q kernel[row(i)][q + reach] from[i + q] along the kernel's axis.
void convolveAligned(cudaStream_t stream, const TwoStageShape& shape, const LineKernel& kernel,
                     DeviceSpan<const float> from, DeviceSpan<float> to);
[[nodiscard]] const void* convolveFunction();
inline constexpr int kTwoStageThreads = 128;

}  // namespace tof::device
