// SPDX-License-Identifier: Apache-2.0
// Lines of a michelogram whose planes share their transverse paths (recon/systems/lines/plane_stack.h):
// launchers, callable from plain C++. Pointers are device memory; launches return without waiting.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "recon/systems/lines/plane_stack.h"

namespace tof::device {

/// Transverse lines of one part with all their planes.
struct StackPart {
    const PathStep* steps = nullptr;        ///< of all lines, and one more
    const std::uint32_t* begins = nullptr;  ///< [line of the part][ray]: first step; the next one is the end
    const float* transverse_mm = nullptr;   ///< [line of the part][ray]: distance of the ends
    const PlaneLine* planes = nullptr;      ///< by sinogram
    const float* rises = nullptr;           ///< by sinogram, mm
    const std::int32_t* places = nullptr;   ///< by sinogram, in a padded list
    const PlaneFamily* families = nullptr;
    std::size_t lines = 0;  ///< of this part: azimuths x radial bins
    int sinograms = 0;
    int radialBins = 0;
    int rays = 1;  ///< per radial bin
    int familyCount = 0;
    int paddedSize = 0;
    int height = 0;      ///< voxels in a column
    int mostVoxels = 2;  ///< that one plane's line may cross in one column
    bool inside = true;  ///< no line leaves the lattice along z
    /// No sum in a voxel exceeds this times the largest datum.
    double bound_mm = 0;
};

/// Floats between columns of an image with z fastest.
[[nodiscard]] inline std::size_t columnPitch(int height) {
    return (static_cast<std::size_t>(height) + 7) / 8 * 8;
}
/// Sums per parity of z in one column of fixed-point sums.
[[nodiscard]] inline std::size_t halfPitch(int height) {
    return (static_cast<std::size_t>(height) + 7) / 8 * 4;
}
/// Bytes of shared memory that stackBack() needs per block.
[[nodiscard]] std::size_t stackBackShared(const StackPart& part);
/// Lets stackBack() use that much; false when the device has less.
[[nodiscard]] bool allowStackBack(const StackPart& part);

/// columns[column][z] of an image [z][column].
void stackColumns(cudaStream_t stream, const float* image, std::size_t columnCount, int height,
                  float* columns);
/// p = F x; a block takes one transverse line and up to 192 sinograms, its warps shares of the path.
void stackForward(cudaStream_t stream, const StackPart& part, const float* columns, float* p);
/// sums += F^T p in 64-bit fixed point whose unit follows from `largest`, as ringLargest() leaves it; sums
/// are [column][parity of z][z / 2]. A block takes one transverse line, its warps shares of its path; all
/// planes are added up per column before they meet other lines.
void stackBack(cudaStream_t stream, const StackPart& part, const float* p, const unsigned* largest,
               unsigned long long* sums);
/// image = (or +=) the mean over rays of what the sums stand for; leaves the sums zero.
void stackFinish(cudaStream_t stream, const StackPart& part, std::size_t columnCount, const unsigned* largest,
                 unsigned long long* sums, bool add, float* image);

}  // namespace tof::device
