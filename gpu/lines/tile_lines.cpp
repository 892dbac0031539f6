// SPDX-License-Identifier: Apache-2.0
// `siddon` for lists: the pieces of events in tiles of the image, each added up in shared memory.
#include <vector>

#include "gpu/lines/device_lines.h"
#include "gpu/lines/event_kernels.h"
#include "gpu/lines/kept_steps.h"
#include "gpu/lines/line_kernels.h"
#include "gpu/lines/line_strategies.h"
#include "gpu/lines/tile_kernels.h"
#include "gpu/lines/tile_shares.h"

namespace tof {

namespace {

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
        keepEvents(work.model.lattice.voxels());
    }

    void forward(std::size_t index, DeviceSpan<const float> image, DeviceSpan<float> p) override {
        const device::LinePart part = lines_.part(index);
        if (events_.bytes() > 0) {
            device::keptForward(space_.stream(), part, lines_.eventTable(),
                                events_.span().from(lines_.firstOf(index)), image, p);
        } else {
            device::eventForward(space_.stream(), part, lines_.eventTable(), image, p);
        }
    }

    void back(std::size_t index, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        const cudaStream_t stream = space_.stream();
        const device::LinePart part = lines_.part(index);
        device::tileScale(stream, part, p, typical_.span(), scale_.span());
        const Items& mine = itemsOf_[index];
        if (mine.count > 0) {
            const device::TilePart tile{tiles_, pieces_.span(), items_.span().part(mine.first, mine.count),
                                        kept_.span()};
            device::tileBack(stream, part, lines_.eventTable(), tile, p, scale_.span(), sums_.span());
        }
        device::lineFinishFixed(stream, part, size_, scale_.span(), sums_.span(), write, image);
    }

    [[nodiscard]] std::size_t bytes() const override {
        return lines_.bytes() + events_.bytes() + pieces_.bytes() + kept_.bytes() + items_.bytes() +
               sums_.bytes();
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
            const TileShares mine = sharesOf(space_, tiles_, fetched(space_, counts), total);
            itemsOf_.push_back({items.size(), mine.items.size()});
            items.insert(items.end(), mine.items.begin(), mine.items.end());
            begins.insert(begins.end(), mine.begins.begin(), mine.begins.end());
            total += mine.pieces;
        }
        if (total == 0) {
            return;
        }
        items_ = space_.uploaded(items, "shares of pieces");
        const auto cursors = space_.uploaded(begins, "places of pieces");
        kept_ = StepsBuffer(space_, total);
        if (kept_.bytes() == 0) {
            pieces_ = space_.buffer<std::uint32_t>(total, "pieces of events");
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto mine = cursors.span().part(i * places, places);
            if (kept_.bytes() > 0) {
                device::keepPieces(space_.stream(), parts[i], tiles_, mine, kept_.span());
            } else {
                device::placePieces(space_.stream(), parts[i], tiles_, mine, pieces_.span());
            }
        }
        space_.finish();  // the cursors go
    }

    /// Pieces come first: they gain more.
    void keepEvents(std::size_t voxels) {
        if (voxels > device::kMostKept) {
            return;
        }
        events_ = StepsBuffer(space_, lines_.events());
        for (std::size_t i = 0; events_.bytes() > 0 && i < lines_.parts(); ++i) {
            device::keepEvents(space_.stream(), lines_.part(i), events_.span().from(lines_.firstOf(i)));
        }
    }

    CudaSpace& space_;
    std::array<int, 3> size_;
    DeviceLines lines_;
    TileGrid tiles_;
    std::vector<Items> itemsOf_;  ///< items of each part
    StepsBuffer events_;
    DeviceBuffer<std::uint32_t> pieces_;
    StepsBuffer kept_;  ///< in place of pieces_ where it has room
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
    // About two pieces an event; the rest is for data and images.
    constexpr std::size_t kBytesEach = sizeof(device::EventRecord) + 2 * sizeof(std::uint32_t);
    if (work.lines.events()->pairs.size() > work.space.bytesFree() / 4 * 3 / kBytesEach) {
        return nullptr;
    }
    return std::make_unique<TileLines>(work);
}

}  // namespace tof
