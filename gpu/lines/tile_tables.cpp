// SPDX-License-Identifier: Apache-2.0
#include "gpu/lines/tile_tables.h"

#include <algorithm>
#include <numeric>

namespace tof {

namespace {

/// Items that a multiprocessor takes in turn: enough to even out their work, few enough to keep what it takes
/// to empty tiles small.
constexpr std::uint64_t kItemsPerProcessor = 6;
/// Items of fewer pieces on average do not pay.
constexpr std::uint64_t kFewestPieces = 2048;

std::size_t itemsFor(const CudaSpace& space, std::uint64_t pieces) {
    const auto processors = static_cast<std::uint64_t>(space.device().properties().multiProcessorCount);
    const std::uint64_t most = kItemsPerProcessor * processors;
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(pieces / kFewestPieces, 1, most));
}

template <typename T>
std::vector<T> fetched(CudaSpace& space, const DeviceBuffer<T>& from) {
    std::vector<T> values(from.size());
    check(cudaMemcpyAsync(values.data(), from.get(), from.bytes(), cudaMemcpyDeviceToHost, space.stream()),
          "fetch counts of pieces");
    space.finish();
    return values;
}

}  // namespace

TileTables::TileTables(CudaSpace& space, const std::vector<device::LinePart>& parts,
                       const device::EventTable& table, const Vec3& direction)
    : table_(table), tiles_(tileGrid(parts.at(0).op.grid, direction, device::tileWords(table))) {
    device::allowTileBack(table_, tiles_);
    const std::size_t places = static_cast<std::size_t>(tiles_.tiles()) * kTileLengths;
    const DeviceBuffer<std::uint32_t> counts = space.buffer<std::uint32_t>(places, "counts of pieces");
    std::vector<TileItem> items;
    std::vector<unsigned long long> begins;  // [part][tile][length class]
    unsigned long long total = 0;
    for (const device::LinePart& part : parts) {
        check(cudaMemsetAsync(counts.get(), 0, counts.bytes(), space.stream()), "clear counts");
        device::countPieces(space.stream(), part, tiles_, counts.get());
        const std::vector<std::uint32_t> found = fetched(space, counts);
        const std::uint64_t mine = std::accumulate(found.begin(), found.end(), std::uint64_t{0});
        const std::vector<TileItem> shares = tileItems(tiles_, found, total, itemsFor(space, mine));
        itemsOf_.push_back({items.size(), static_cast<unsigned>(shares.size())});
        items.insert(items.end(), shares.begin(), shares.end());
        for (const std::uint32_t count : found) {
            begins.push_back(total);
            total += count;
        }
    }
    sums_ = space.buffer<unsigned long long>(static_cast<std::size_t>(tiles_.grid.size[0]) *
                                                 static_cast<std::size_t>(tiles_.grid.size[1]) *
                                                 static_cast<std::size_t>(tiles_.grid.size[2]),
                                             "fixed-point sums");
    check(cudaMemsetAsync(sums_.get(), 0, sums_.bytes(), space.stream()), "clear sums");
    typical_ = space.buffer<device::TypicalDatum>(1, "typical datum");
    scale_ = space.buffer<device::FixedScale>(1, "unit of a fixed point");
    if (total > 0) {
        pieces_ = space.buffer<std::uint32_t>(total, "pieces of events");
        items_ = space.buffer<TileItem>(items.size(), "shares of pieces");
        items_.uploadFrom(items, space.stream());
        DeviceBuffer<unsigned long long> cursors =
            space.buffer<unsigned long long>(begins.size(), "places of pieces");
        cursors.uploadFrom(begins, space.stream());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            device::placePieces(space.stream(), parts[i], tiles_, cursors.get() + i * places, pieces_.get());
        }
    }
    space.finish();  // the host copies and the cursors go
}

void TileTables::back(cudaStream_t stream, std::size_t index, const device::LinePart& part, const float* p,
                      bool add, float* image) {
    device::tileScale(stream, part, p, typical_.get(), scale_.get());
    const Items& mine = itemsOf_[index];
    if (mine.count > 0) {
        device::tileBack(stream, part, table_, {tiles_, pieces_.get(), items_.get() + mine.first, mine.count},
                         p, scale_.get(), sums_.get());
    }
    device::ringFinishFixed(stream, part, tiles_.grid.size, scale_.get(), sums_.get(), add, image);
}

}  // namespace tof
