// SPDX-License-Identifier: Apache-2.0
// What surrounds the transforms: padding, cropping, filtering, spectra of sampled kernels.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/space/element_kernels.h"
#include "recon/seam/space.h"

namespace tof::device {

struct GridPair {
    int size[3] = {0, 0, 0};  ///< size of the lattice
    int grid[3] = {0, 0, 0};  ///< grid of the transform, not smaller
};

/// Copies a volume into the corner of the grid, zeros elsewhere.
void padToGrid(Launch launch, DeviceSpan<const float> from, const GridPair& shape, DeviceSpan<float> to);
/// Copies the corner out, times `factors` unless they are empty, or adds it.
void cropFromGrid(Launch launch, DeviceSpan<const float> from, DeviceSpan<const float> factors,
                  const GridPair& shape, DeviceSpan<float> to, Write write);
/// pairs[i] *= spectrum[i].
void filterPairs(Launch launch, DeviceSpan<const float> spectrum, DeviceSpan<float2> pairs);

/// What inverseFactor() takes of a grid.
struct InverseShape {
    int grid[3] = {0, 0, 0};
    float sigma[3] = {0, 0, 0};  ///< the Gaussian's, in samples
    float steps = 1;
    float scale = 1;
};
/// factors[i] = scale inverseFactor(|pairs[i] / pairs[0]|, steps) / |pairs[0]| times the Gaussian's share.
void invertPairs(Launch launch, DeviceSpan<const float2> pairs, const InverseShape& shape,
                 DeviceSpan<float> factors);

/// A share per column of the lattice: shares[ids[column]].
struct ColumnShares {
    DeviceSpan<const float> shares;
    DeviceSpan<const std::int32_t> ids;  ///< [y][x]
};

/// Where a term of a sum stands: the first overwrites what was there, the last is followed by the result.
struct TermPlace {
    bool first = false;
    bool last = false;
};

/// Copies a volume times the columns' shares into the corner of the grid, zeros elsewhere.
void padWeighed(Launch launch, DeviceSpan<const float> from, const ColumnShares& shares,
                const GridPair& shape, DeviceSpan<float> to);
enum class Spectrum { Real, Imaginary };
/// sum[i] = or += spectrum[i] pairs[i], or spectrum[i] i pairs[i] where the spectrum is imaginary.
void addFiltered(Launch launch, DeviceSpan<const float> spectrum, Spectrum kind,
                 DeviceSpan<const float2> pairs, Write write, DeviceSpan<float2> sum);
/// out[i] = spectrum[i] pairs[i], or its conjugate -spectrum[i] i pairs[i] where it is imaginary.
void filterConjugate(Launch launch, DeviceSpan<const float> spectrum, Spectrum kind,
                     DeviceSpan<const float2> pairs, DeviceSpan<float2> out);
/// Adds the corner of the grid times the columns' shares to `sum`; with the last term that sum, times
/// `factors` unless they are empty, is written or added to `to`.
void cropWeighed(Launch launch, DeviceSpan<const float> from, const ColumnShares& shares,
                 const GridPair& shape, TermPlace place, DeviceSpan<float> sum,
                 DeviceSpan<const float> factors, DeviceSpan<float> to, Write write);
/// real[at[i]] = value[i]; the places differ.
void placeValues(cudaStream_t stream, DeviceSpan<const std::uint32_t> at, DeviceSpan<const float> value,
                 DeviceSpan<float> real);
/// spectrum[i] = scale * the real or the imaginary part of pairs[i].
void takePart(cudaStream_t stream, DeviceSpan<const float2> pairs, Spectrum kind, float scale,
              DeviceSpan<float> spectrum);

}  // namespace tof::device
