// SPDX-License-Identifier: Apache-2.0
// Lines of a michelogram whose planes share their transverse paths (recon/systems/lines/plane_sweep.h):
// launchers, callable from plain C++, which return without waiting.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "gpu/lines/line_part.h"
#include "recon/seam/space.h"
#include "recon/systems/lines/plane_sweep.h"

namespace tof::device {

// Lanes are pairs of voxels of a column; a column of more pairs is taken in turns.

/// Turn i begins at pair i x kTurnPairs - 1: planes may come from below the lattice, and turns share a pair.
inline constexpr int kTurnPairs = 31;
[[nodiscard]] TOF_HD inline int turnsOf(int height) {
    return ((height + 1) / 2 + kTurnPairs) / kTurnPairs;
}

/// A FaceCrossing as lanes see it in one turn.
struct alignas(16) LaneCrossing {
    double at;
    std::int32_t row;     ///< row of lane 0
    std::uint32_t lanes;  ///< a bit for each that has a row
};

/// Where the planes of a family are.
struct alignas(8) LaneFamily {
    std::int32_t row;  ///< row of lane 0, x 4; + 1 when in the upper voxels of pairs, + 2 when heights fall
                       ///< along the path
    std::uint32_t lanes;  ///< a bit for each that has a row
};

/// Transverse lines of one part with all their planes.
struct StackPart {
    DeviceSpan<const SweepStep> steps;       ///< steps of all lines
    DeviceSpan<const std::uint32_t> begins;  ///< [line of the part][ray]: first step; the next one is the end
    DeviceSpan<const float> transverse_mm;   ///< [line of the part][ray]: distance of the ends
    DeviceSpan<const LaneCrossing> within;   ///< [turn][crossing, and one more]
    DeviceSpan<const LaneCrossing> between;
    DeviceSpan<const LaneFamily> families;  ///< [turn][crossings passed][family]
    DeviceSpan<const std::int32_t> rows;    ///< by sinogram
    DeviceSpan<const float> rises;          ///< by sinogram, mm; the sign is that of its family's direction
    std::size_t lines = 0;                  ///< lines of this part: azimuths x radial bins
    int sinograms = 0;
    int radialBins = 0;
    int rays = 1;      ///< per radial bin
    double share = 1;  ///< 1 / rays
    int familyCount = 0;
    int withinCount = 0;
    int betweenCount = 0;
    int rowCount = 0;
    int height = 0;  ///< voxels in a column
    /// No sum in a voxel exceeds this times the largest datum.
    double bound_mm = 0;
};

/// The image's columns while they are projected back.
struct StackSums {
    DeviceSpan<FixedSum> sums;  ///< [column][parity of z][z / 2], halfPitch(height) apart
    DeviceSpan<const unsigned>
        largest;  ///< one element, as largestDatum() leaves it: the unit follows from it
    std::size_t columnCount = 0;
};

/// How a block is made up: it takes `lines` neighbouring radial bins, each by `warps` shares of its path.
struct StackShape {
    int lines = 1;
    int warps = 1;
};

/// Floats between columns of an image with z fastest; at least one more than its voxels where their number is
/// odd.
[[nodiscard]] inline std::size_t columnPitch(int height) {
    return (static_cast<std::size_t>(height) + 7) / 8 * 8;
}
/// Sums per parity of z in one column of fixed-point sums.
[[nodiscard]] TOF_HD inline std::size_t halfPitch(int height) {
    return (static_cast<std::size_t>(height) + 7) / 8 * 4;
}
/// Lets blocks of the shape use the shared memory that they need; false when the device has less.
[[nodiscard]] bool allowStack(const StackPart& part, const StackShape& forward, const StackShape& back);

/// columns[column][z] of an image [z][column]; what is beside the image in a column stays as it is, and must
/// be zero.
void stackColumns(cudaStream_t stream, DeviceSpan<const float> image, std::size_t columnCount, int height,
                  DeviceSpan<float> columns);
/// p = F x.
void stackForward(cudaStream_t stream, const StackPart& part, const StackShape& shape,
                  DeviceSpan<const float> columns, DeviceSpan<float> p);
/// sums += F^T p in fixed point: all planes are added up per column before they meet other lines.
void stackBack(cudaStream_t stream, const StackPart& part, const StackShape& shape, DeviceSpan<const float> p,
               const StackSums& sums);
/// Writes the mean over rays of what the sums stand for; leaves the sums zero.
void stackFinish(cudaStream_t stream, const StackPart& part, const StackSums& sums, Write write,
                 DeviceSpan<float> image);

}  // namespace tof::device
