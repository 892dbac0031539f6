// SPDX-License-Identifier: Apache-2.0
// What surrounds the transforms: padding, cropping, filtering, spectra of sampled kernels.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "gpu/space/element_kernels.h"

namespace tof::device {

struct GridPair {
    int size[3] = {0, 0, 0};  ///< of the lattice
    int grid[3] = {0, 0, 0};  ///< of the transform, not smaller
};

/// Copies a volume into the corner of the grid, zeros elsewhere.
void padToGrid(Launch launch, const float* from, const GridPair& shape, float* to);
/// Copies the corner out, or adds it.
void cropFromGrid(Launch launch, const float* from, const GridPair& shape, float* to, bool add);
/// pairs[i] *= spectrum[i] for n complex numbers.
void filterPairs(Launch launch, const float* spectrum, float2* pairs, std::size_t n);
/// real[at[i]] += value[i], one thread after the other: few values.
void scatterValues(cudaStream_t stream, const std::uint32_t* at, const float* value, int count, float* real);
/// spectrum[i] = scale * real part of pairs[i].
void takeReal(cudaStream_t stream, const float2* pairs, float scale, float* spectrum, std::size_t n);

}  // namespace tof::device
