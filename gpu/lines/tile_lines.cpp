// SPDX-License-Identifier: Apache-2.0
// `siddon` for lists: the pieces of events in tiles of the image, each added up in shared memory.
#include <algorithm>
#include <numeric>
#include <vector>

#include "gpu/lines/device_lines.h"
#include "gpu/lines/event_kernels.h"
#include "gpu/lines/line_kernels.h"
#include "gpu/lines/line_strategies.h"
#include "gpu/lines/tile_kernels.h"
#include "recon/systems/lines/event_order.h"

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

class TileLines : public LineStrategy {
  public:
    explicit TileLines(const LineWork& work)
        : space_(work.space),
          size_(work.model.lattice.size),
          lines_(work, EventOrder::Nearby),
          tiles_(tileGrid(lines_.part(0).op.grid, meanDirection(*work.lines.events()),
                          device::tileWords(lines_.eventTable()))),
          sums_(space_.buffer<device::FixedSum>(work.model.lattice.voxels(), "fixed-point sums")),
          typical_(space_.buffer<device::TypicalDatum>(1, "typical datum")),
          scale_(space_.buffer<device::FixedScale>(1, "unit of a fixed point")) {
        device::allowTileBack(lines_.eventTable(), tiles_);
        check(cudaMemsetAsync(sums_.get(), 0, sums_.bytes(), space_.stream()), "clear sums");
        placePieces();
    }

    void forward(std::size_t part, DeviceSpan<const float> image, DeviceSpan<float> p) override {
        device::eventForward(space_.stream(), lines_.part(part), lines_.eventTable(), image, p);
    }

    void back(std::size_t index, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        const cudaStream_t stream = space_.stream();
        const device::LinePart part = lines_.part(index);
        device::tileScale(stream, part, p, typical_.span(), scale_.span());
        const Items& mine = itemsOf_[index];
        if (mine.count > 0) {
            const device::TilePart tile{tiles_, pieces_.span(), items_.span().part(mine.first, mine.count)};
            device::tileBack(stream, part, lines_.eventTable(), tile, p, scale_.span(), sums_.span());
        }
        device::lineFinishFixed(stream, part, size_, scale_.span(), sums_.span(), write, image);
    }

    [[nodiscard]] std::size_t bytes() const override {
        return lines_.bytes() + pieces_.bytes() + items_.bytes() + sums_.bytes();
    }

  private:
    struct Items {
        std::size_t first;
        std::size_t count;
    };

    /// Counts the pieces of every part, shares them out among blocks and puts them in place.
    void placePieces() {
        const std::vector<device::LinePart> parts = lines_.allParts();
        const std::size_t places = static_cast<std::size_t>(tiles_.tiles()) * kTileLengths;
        const DeviceBuffer<std::uint32_t> counts = space_.buffer<std::uint32_t>(places, "counts of pieces");
        std::vector<TileItem> items;
        std::vector<unsigned long long> begins;  // [part][tile][length class]
        unsigned long long total = 0;
        for (const device::LinePart& part : parts) {
            check(cudaMemsetAsync(counts.get(), 0, counts.bytes(), space_.stream()), "clear counts");
            device::countPieces(space_.stream(), part, tiles_, counts.span());
            const std::vector<std::uint32_t> found = fetched(space_, counts);
            const std::uint64_t mine = std::accumulate(found.begin(), found.end(), std::uint64_t{0});
            const std::vector<TileItem> shares = tileItems(tiles_, found, total, itemsFor(space_, mine));
            itemsOf_.push_back({items.size(), shares.size()});
            items.insert(items.end(), shares.begin(), shares.end());
            for (const std::uint32_t count : found) {
                begins.push_back(total);
                total += count;
            }
        }
        if (total == 0) {
            return;
        }
        pieces_ = space_.buffer<std::uint32_t>(total, "pieces of events");
        items_ = space_.uploaded(items, "shares of pieces");
        const auto cursors = space_.uploaded(begins, "places of pieces");
        for (std::size_t i = 0; i < parts.size(); ++i) {
            device::placePieces(space_.stream(), parts[i], tiles_, cursors.span().part(i * places, places),
                                pieces_.span());
        }
        space_.finish();  // the cursors go
    }

    CudaSpace& space_;
    std::array<int, 3> size_;
    DeviceLines lines_;
    TileGrid tiles_;
    std::vector<Items> itemsOf_;  ///< of each part
    DeviceBuffer<std::uint32_t> pieces_;
    DeviceBuffer<TileItem> items_;
    DeviceBuffer<device::FixedSum> sums_;
    DeviceBuffer<device::TypicalDatum> typical_;
    DeviceBuffer<device::FixedScale> scale_;
};

}  // namespace

std::unique_ptr<LineStrategy> makeTileLines(const LineWork& work) {
    if (work.lines.events() == nullptr || !shortPaths(work)) {
        return nullptr;
    }
    return std::make_unique<TileLines>(work);
}

}  // namespace tof
