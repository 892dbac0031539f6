// SPDX-License-Identifier: Apache-2.0
// What surrounds the transforms: padding, cropping, filtering, spectra of sampled kernels.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "gpu/space/element_kernels.h"
#include "recon/seam/space.h"

namespace tof::device {

struct GridPair {
    int size[3] = {0, 0, 0};  ///< of the lattice
    int grid[3] = {0, 0, 0};  ///< of the transform, not smaller
};

/// Copies a volume into the corner of the grid, zeros elsewhere.
void padToGrid(Launch launch, DeviceSpan<const float> from, const GridPair& shape, DeviceSpan<float> to);
/// Copies the corner out, times `factors` unless they are empty, or adds it.
void cropFromGrid(Launch launch, DeviceSpan<const float> from, DeviceSpan<const float> factors,
                  const GridPair& shape, DeviceSpan<float> to, Write write);
/// pairs[i] *= spectrum[i].
void filterPairs(Launch launch, DeviceSpan<const float> spectrum, DeviceSpan<float2> pairs);
/// real[at[i]] += value[i], one thread after the other: few values.
void scatterValues(cudaStream_t stream, DeviceSpan<const std::uint32_t> at, DeviceSpan<const float> value,
                   DeviceSpan<float> real);
/// spectrum[i] = scale * real part of pairs[i].
void takeReal(cudaStream_t stream, DeviceSpan<const float2> pairs, float scale, DeviceSpan<float> spectrum);

}  // namespace tof::device
