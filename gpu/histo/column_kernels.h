// SPDX-License-Identifier: Apache-2.0
// The `column` strategy on tensor cores (tile_plan.h says how it works).
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <span>

#include "gpu/histo/column_work.h"

namespace tof::device {

/// Planes that a window of `planes` brings when the kernel reaches `reach` planes and nz planes are wanted.
[[nodiscard]] int columnWindows(int planes, int reach, int nz);
/// Shared memory of a block, bytes.
[[nodiscard]] std::size_t columnSharedBytes(const ColumnView& view, int planes, Gather gather);
/// The most shared memory that a block of these kernels can be given on a card.
[[nodiscard]] std::size_t columnSharedLimit(const cudaDeviceProp& card);
/// Lets the kernels use that much. To be called once per device before the first launch.
void prepareColumn(std::size_t sharedBytes);
/// The rows of one view's blocks are listed from this, for the pixels that a gather looks up.
struct RowLookup {
    DeviceSpan<const std::int32_t> ids;  ///< LORmap, rows idPitch apart
    int idPitch = 0;
    int rows = 0;  ///< rows of the value table
    DeviceSpan<const BlockPixel> pixels;
    DeviceSpan<const short2> origins;
    int blocks = 0;
    BlockRows to;
};
/// For view.blockRows of the pixels that `gather` looks up: targets, or sources.
[[nodiscard]] RowLookup rowLookup(const ColumnView& view, Gather gather);
/// Fills the lists of rows of all `lookups`, in one launch. `onDevice`: the same; size: of a plane in x, y.
void listBlockRows(cudaStream_t stream, std::span<const RowLookup> lookups,
                   DeviceSpan<const RowLookup> onDevice, std::array<int, 2> size);
/// planes at a time: 16 or 48.
void projectColumn(Launch launch, const ColumnWork& work, int planes, Gather gather, ColumnOutput output);
[[nodiscard]] const void* columnFunction(Gather gather);

}  // namespace tof::device
