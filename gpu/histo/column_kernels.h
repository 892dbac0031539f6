// SPDX-License-Identifier: Apache-2.0
// The `column` strategy on tensor cores (tile_plan.h says how it works).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

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
/// Fills view.blockRows for the pixels that `gather` looks up: targets, or sources.
void listBlockRows(cudaStream_t stream, const ColumnView& view, const int (&size)[3], Gather gather);
/// planes at a time: 16 or 48.
void projectColumn(Launch launch, const ColumnWork& work, int planes, Gather gather, ColumnOutput output);
[[nodiscard]] const void* columnFunction(Gather gather);

}  // namespace tof::device
