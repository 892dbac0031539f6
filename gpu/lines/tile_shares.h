// SPDX-License-Identifier: Apache-2.0
// How the pieces of a part's events are shared out among blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gpu/lines/tile_kernels.h"
#include "gpu/space/cuda_space.h"
#include "recon/systems/lines/event_tiles.h"

namespace tof {

/// The shares of one part.
struct TileShares {
    std::vector<TileItem> items;
    std::vector<unsigned long long> begins;  ///< where the pieces of [tile][length class] begin
    unsigned long long pieces = 0;
};

/// Shares of pieces that begin at `first`, by how many there are of each [tile][length class].
[[nodiscard]] inline TileShares sharesOf(const CudaSpace& space, const TileGrid& tiles,
                                         const std::vector<std::uint32_t>& counts, unsigned long long first) {
    // Items that a multiprocessor takes in turn: enough to even out their work, few enough to keep what it
    // takes to empty tiles small. Items of fewer pieces on average do not pay.
    constexpr std::uint64_t kItemsPerProcessor = 6;
    constexpr std::uint64_t kFewestPieces = 2048;
    TileShares shares;
    shares.pieces = std::accumulate(counts.begin(), counts.end(), 0ULL);
    const auto processors = static_cast<std::uint64_t>(space.device().properties().multiProcessorCount);
    const auto items = static_cast<std::size_t>(
        std::clamp<std::uint64_t>(shares.pieces / kFewestPieces, 1, kItemsPerProcessor * processors));
    shares.items = tileItems(tiles, counts, first, items);
    for (const std::uint32_t count : counts) {
        shares.begins.push_back(first);
        first += count;
    }
    return shares;
}

/// Items of a part among those of all parts.
struct PartItems {
    std::size_t first;
    std::size_t count;
};

/// The end of back projections by tiles. Where an image has more tiles than a card has multiprocessors,
/// blocks write it themselves and touch nothing else; of fewer tiles, the last block of each would keep all
/// others waiting.
class TileEnds {
  public:
    TileEnds(CudaSpace& space, const TileGrid& tiles) {
        if (tiles.tiles() > space.device().properties().multiProcessorCount) {
            arrived_ = space.buffer<unsigned>(static_cast<std::size_t>(tiles.tiles()), "blocks of tiles");
            check(cudaMemsetAsync(arrived_.get(), 0, arrived_.bytes(), space.stream()), "clear counters");
        }
    }
    [[nodiscard]] bool byTiles() const { return arrived_.size() > 0; }
    [[nodiscard]] device::TileEnd of(DeviceSpan<float> image, Write write) const {
        return byTiles() ? device::TileEnd{image, write, arrived_.span()} : device::TileEnd{};
    }

  private:
    DeviceBuffer<unsigned> arrived_;
};

template <typename T>
[[nodiscard]] std::vector<T> fetched(CudaSpace& space, const DeviceBuffer<T>& from) {
    std::vector<T> values(from.size());
    check(cudaMemcpyAsync(values.data(), from.get(), from.bytes(), cudaMemcpyDeviceToHost, space.stream()),
          "fetch counts of pieces");
    space.finish();
    return values;
}

}  // namespace tof
