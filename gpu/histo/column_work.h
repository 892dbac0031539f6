// SPDX-License-Identifier: Apache-2.0
// What the kernel of the `column` strategy is given (tile_plan.h says how it works).
#pragma once

#include <vector_types.h>

#include <cstdint>

#include "gpu/histo/gather.h"
#include "gpu/histo/tile_plan.h"
#include "gpu/space/device_span.h"
#include "gpu/space/element_kernels.h"
#include "recon/base/hd.h"

namespace tof::device {

/// Most runs of chunks that a warp can be given, and one that says what comes at first.
inline constexpr int kColumnRuns = 96;
/// Most warps of a block.
inline constexpr int kColumnWarps = 12;

/// Bytes of a source column's values in the tile of a block; the remainders of all columns follow the values
/// of all.
TOF_HD constexpr int slotBytes(int planes) {
    return planes * 2;
}

/// Where 16 bytes of a slot's values lie in the tile: the first, or others after them. Bit 4 is flipped for
/// every second four slots, so that those of eight neighbouring ones, 2 or 6 times 16 bytes apart, lie in
/// different banks.
TOF_HD constexpr int byteInTile(int slot, int planes, int others = 0) {
    return (slot * slotBytes(planes) + 16 * others) ^ ((slot >> 2) & 1) << 4;
}

/// The place of a slot: where it begins, in units of 16 bytes.
TOF_HD constexpr int placeOfSlot(int slot, int planes) {
    return byteInTile(slot, planes) >> 4;
}
TOF_HD constexpr unsigned slotOfPlace(unsigned place, unsigned planes) {
    return place / (planes / 8);
}

/// A run of chunks (PlanRun), with the strips that need the chunk after it.
class ChunkRun {
  public:
    constexpr ChunkRun() = default;
    constexpr ChunkRun(const PlanRun& run, unsigned next)
        : bits_(static_cast<unsigned>(run.chunks) << 16U | static_cast<unsigned>(run.after) << 8U |
                next << 4U | run.strips) {}

    [[nodiscard]] TOF_HD constexpr unsigned chunks() const { return bits_ >> 16U; }
    [[nodiscard]] TOF_HD constexpr unsigned strips() const { return bits_ & 0xFU; }
    [[nodiscard]] TOF_HD constexpr unsigned next() const { return bits_ >> 4U & 0xFU; }
    [[nodiscard]] TOF_HD constexpr PlanStep step() const { return static_cast<PlanStep>(bits_ >> 8U & 3U); }

  private:
    unsigned bits_ = 0;
};

/// A pixel of a block relative to its origin, in x and y, with its place.
struct alignas(8) BlockPixel {
    std::int16_t x = 0;
    std::int16_t y = 0;
    std::uint16_t slot = 0;
    std::uint16_t unused = 0;
};

/// Which rows of the value table each block needs.
struct BlockRows {
    DeviceSpan<std::uint16_t> needed;      ///< [block][mostRows], filled up with 65535
    DeviceSpan<std::uint16_t> rowOfPixel;  ///< [block][pixels]: index among the needed, at the pixel's slot
    int mostRows = 0;
    int pixels = 0;
};

/// What one view needs, apart from the data.
struct ColumnView {
    DeviceSpan<const std::int32_t> ids;  ///< LORmap, rows idPitch apart
    int idPitch = 0;
    int rows = 0;                            ///< rows of the value table
    DeviceSpan<const std::uint32_t> values;  ///< [row][rowStride], bf16 pairs, zeros at both ends
    int taps = 0;
    int rowStride = 0;
    DeviceSpan<const BlockPixel> tile;         ///< as in TilePlan
    int slots = 0;                             ///< slots of the tile
    DeviceSpan<const BlockPixel> targets;      ///< as in TilePlan
    DeviceSpan<const std::uint16_t> targetOf;  ///< as in TilePlan
    int groups = 0;
    DeviceSpan<const std::uint16_t> sources;  ///< as in TilePlan, but places of columns
    DeviceSpan<const uint2> weights;          ///< as in TilePlan: [chunk][strip][lane]
    int chunks = 0;
    DeviceSpan<const short2> origins;  ///< origins of the blocks, in x and y
    int blocks = 0;
    int firstChunk[2] = {0, 0};
    int runCount[2] = {0, 0};
    ChunkRun runs[2][kColumnRuns];  ///< by half: one of no chunks, which tells what comes at first, then all
    float filter = 0;
    int reach = 0;
    BlockRows blockRows[2];    ///< by target, by source
    int mostRows[2] = {0, 0};  ///< distinct ids of a block at most: by target, by source
};

/// How results leave the kernel.
enum class ColumnOutput { Overwrite, Add };

/// What is left to do of a discrepancy that openDiscrepancy() has made: where y/e was taken though e <= 1e-9
/// mean(e), it is 0.
struct ColumnFloor {
    FloorParts parts;           ///< none: the input is no such discrepancy
    DeviceSpan<const float> y;  ///< those of the input, which is mult (y/e - offset)
    DeviceSpan<const float> mult;
    float offset = 0;
};

struct ColumnWork {
    ColumnView view;
    int size[3] = {0, 0, 0};
    DeviceSpan<const float> from;
    DeviceSpan<float> out;
    ColumnFloor floor;
    DeviceSpan<const float> mult;  ///< out = mult p; empty: 1
    int windowBegin = 0;           ///< the first of the windows along z in this launch
    int windows = 1;               ///< in this launch
    int allWindows = 1;
};

}  // namespace tof::device
