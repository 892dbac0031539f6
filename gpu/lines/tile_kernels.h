// SPDX-License-Identifier: Apache-2.0
// Back projection of list-mode by tiles of the image in shared memory: launchers, callable from plain C++,
// which return without waiting.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/lines/line_part.h"
#include "recon/seam/space.h"
#include "recon/systems/lines/event_tiles.h"

namespace tof::device {

/// Words of a tile that a block can hold beside the table of time bins.
[[nodiscard]] std::size_t tileWords(const EventTable& table);
/// Allows tileBack() and tileForward() their shared memory on the current device.
void allowTiles(const LineOperator& op, const EventTable& table, const TileGrid& tiles);

/// counts[tile][length class] += pieces of the part's events there.
void countPieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles,
                 DeviceSpan<std::uint32_t> counts);
/// pieces[cursors[tile][length class]++] = event, for every piece. Their order within a class is left open.
void placePieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles,
                 DeviceSpan<unsigned long long> cursors, DeviceSpan<std::uint32_t> pieces);
/// Where what a part's pieces see lies: an event has neighbouring places, in the order of its tiles.
struct PieceSlots {
    DeviceSpan<uint2> ofEvents;  ///< first place, pieces
    DeviceSpan<unsigned> next;   ///< one counter
    DeviceSpan<float> seen;      ///< by place
};
/// Places pieces with their paths: kept[cursors[tile][length class]++], and their slots where it has any.
void keepPieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles,
                DeviceSpan<unsigned long long> cursors, const KeptSteps& kept, const PieceSlots& slots);

/// The pieces of a part and how blocks share them.
struct TilePart {
    TileGrid tiles;
    DeviceSpan<const std::uint32_t> pieces;  ///< events; the items say where theirs begin
    DeviceSpan<const TileItem> items;
    KeptSteps kept;  ///< in place of `pieces` where there are any
};

/// What becomes of a tile whose pieces have all been added.
struct TileEnd {
    DeviceSpan<float> image;  ///< written tile by tile; empty: sums are left as they are
    Write write = Write::Overwrite;
    DeviceSpan<unsigned> arrived;  ///< [tile], zero before and after
};

/// p = F x by kept pieces with slots: tiles of the image in shared memory.
void tileForward(cudaStream_t stream, const LinePart& part, const EventTable& table, const TilePart& tile,
                 const PieceSlots& slots, DeviceSpan<const float> image, DeviceSpan<float> p);

/// Exponents of the data that are not zero, summed, and how many there are.
struct TypicalDatum {
    long long exponents;
    unsigned long long count;
};

/// `scale` for tileBack(): like lineScale(), but never finer than what lets a tile's words hold the
/// coefficients of common data.
void tileScale(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> p,
               DeviceSpan<TypicalDatum> typical, DeviceSpan<FixedScale> scale);
/// sums += F^T p in 64-bit fixed point. A block adds the pieces of an item to a tile in shared memory, whose
/// words are the lower halves of the sums; what does not fit a word goes to `sums` at once, so that the total
/// is exact and independent of any order. `sums` has the strides of the part's grid, x fastest.
void tileBack(cudaStream_t stream, const LinePart& part, const EventTable& table, const TilePart& tile,
              DeviceSpan<const float> p, DeviceSpan<const FixedScale> scale, DeviceSpan<FixedSum> sums,
              const TileEnd& end);

}  // namespace tof::device
