// SPDX-License-Identifier: Apache-2.0
// The `column` strategy on tensor cores (column_plan.h says how it works).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "gpu/histo/texture_kernels.h"
#include "gpu/histo/tile_plan.h"
#include "gpu/space/element_kernels.h"

namespace tof::device {

/// Most segments that a warp can be given.
inline constexpr int kColumnSegments = 24;
/// Most warps of a block.
inline constexpr int kColumnWarps = 12;

/// A pixel of a block relative to its origin, in x and y, with its place.
struct alignas(8) BlockPixel {
    std::int16_t x = 0;
    std::int16_t y = 0;
    std::uint16_t slot = 0;
    std::uint16_t unused = 0;
};

/// Which rows of the value table each block needs. Device pointers.
struct ColumnRows {
    const std::uint16_t* list = nullptr;  ///< [block][most], filled up with 65535
    const std::uint16_t* ofPixel =
        nullptr;  ///< [block][pixels]: index into the block's list, at the pixel's slot
    int most = 0;
    int pixels = 0;
};

/// What one view needs, apart from the data. Device pointers.
struct ColumnView {
    const std::int32_t* ids = nullptr;  ///< LORmap, rows idPitch apart
    int idPitch = 0;
    int rows = 0;                           ///< of the value table
    const std::uint32_t* values = nullptr;  ///< [row][rowStride], bf16 pairs, zeros at both ends
    int taps = 0;
    int rowStride = 0;
    const BlockPixel* tile = nullptr;
    int slots = 0;
    const BlockPixel* targets = nullptr;
    const std::uint16_t* place = nullptr;
    int groups = 0;
    const std::uint16_t* sources = nullptr;  ///< as in ColumnPlan
    const uint2* weights = nullptr;          ///< as in ColumnPlan: [chunk][strip][lane]
    int chunks = 0;
    const short2* origins = nullptr;  ///< of the blocks, in x and y
    int blocks = 0;
    int firstChunk[2] = {0, 0};
    int segmentCount[2] = {0, 0};
    std::uint16_t segments[2][kColumnSegments] = {};  ///< chunks * 4 + step
    float filter = 0;
    int reach = 0;
    ColumnRows rowsOf[2];       ///< by target, by source
    int tableRows[2] = {0, 0};  ///< distinct ids of a block at most: by target, by source
};

/// How results leave the kernel.
enum class ColumnOutput { Overwrite, Add, Expected };

struct ColumnWork {
    ColumnView view;
    int size[3] = {0, 0, 0};
    const float* from = nullptr;
    float* out = nullptr;
    const float* mult = nullptr;  ///< Expected: out = mult p + add, with the sum in area; null: 1
    const float* add = nullptr;   ///< null: 0
    ReductionArea area;
    int windowBegin = 0;  ///< of the windows along z in this launch
    int windows = 1;      ///< in this launch
    int allWindows = 1;
};

/// Planes that a window of `planes` brings when the kernel reaches `reach` planes and nz planes are wanted.
[[nodiscard]] int columnWindows(int planes, int reach, int nz);
/// Shared memory of a block, bytes.
[[nodiscard]] std::size_t columnSharedBytes(const ColumnView& view, int planes, Gather gather);
/// The most shared memory that a block of these kernels can be given on a card.
[[nodiscard]] std::size_t columnSharedLimit(const cudaDeviceProp& card);
/// Lets the kernels use that much. To be called once per device before the first launch.
void prepareColumn(std::size_t sharedBytes);
/// Fills what ColumnRows points to, for the pixels that `gather` looks up: targets, or sources.
void listColumnRows(cudaStream_t stream, const ColumnView& view, const int (&size)[3], Gather gather,
                    std::uint16_t* list, std::uint16_t* ofPixel);
/// planes at a time: 16 or 48.
void projectColumn(Launch launch, const ColumnWork& work, int planes, Gather gather, ColumnOutput output);
[[nodiscard]] const void* columnFunction(Gather gather);

}  // namespace tof::device
