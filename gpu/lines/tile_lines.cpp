// SPDX-License-Identifier: Apache-2.0
// `siddon` and `joseph` for lists: the pieces of events in tiles of the image, each added up in shared
// memory.
#include <algorithm>
#include <numeric>
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
          scale_(space_.buffer<device::FixedScale>(1, "unit of a fixed point")),
          ends_(space_, tiles_) {
        device::allowTiles(lines_.part(0).op, lines_.eventTable(), tiles_);
        check(cudaMemsetAsync(sums_.get(), 0, sums_.bytes(), space_.stream()), "clear sums");
        placePieces();
        keepEvents(work.model.lattice.voxels());
    }

    void forward(std::size_t index, DeviceSpan<const float> image, DeviceSpan<float> p) override {
        const device::LinePart part = lines_.part(index);
        if (seesByTiles(index)) {
            device::tileForward(space_.stream(), part, lines_.eventTable(), tilePart(index), slots(index),
                                image, p);
        } else if (!events_.empty()) {
            device::keptForward(space_.stream(), part, lines_.eventTable(), eventsOf(index), image, p);
        } else {
            device::eventForward(space_.stream(), part, lines_.eventTable(), image, p);
        }
    }

    void back(std::size_t index, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        const cudaStream_t stream = space_.stream();
        const device::LinePart part = lines_.part(index);
        device::tileScale(stream, part, p, typical_.span(), scale_.span());
        device::tileBack(stream, part, lines_.eventTable(), tilePart(index), p, scale_.span(), sums_.span(),
                         ends_.of(image, write));
        if (!ends_.byTiles()) {
            device::lineFinishFixed(stream, part, size_, scale_.span(), sums_.span(), write, image);
        }
    }

    [[nodiscard]] std::size_t bytes() const override {
        return lines_.bytes() + events_.bytes() + pieces_.bytes() + kept_.bytes() + items_.bytes() +
               sums_.bytes() + ofEvents_.bytes() + seen_.bytes();
    }

  private:
    [[nodiscard]] bool keeps(std::size_t part) const { return part < keptParts_; }
    /// Images are read tile by tile where they take more than a quarter of the card's cache.
    [[nodiscard]] bool seesByTiles(std::size_t part) const { return ofEvents_.size() > 0 && keeps(part); }

    [[nodiscard]] device::TilePart tilePart(std::size_t index) const {
        const PartItems& mine = itemsOf_[index];
        return {tiles_, pieces_.span(),
                mine.count > 0 ? items_.span().part(mine.first, mine.count) : DeviceSpan<TileItem>(),
                keeps(index) ? kept_.span() : device::KeptSteps{}};
    }
    [[nodiscard]] device::PieceSlots slots(std::size_t index) const {
        return seesByTiles(index) ? device::PieceSlots{ofEvents_.span().from(lines_.firstOf(index)),
                                                       next_.span(), seen_.span()}
                                  : device::PieceSlots{};
    }
    /// Kept paths of a part's events through the whole image.
    [[nodiscard]] device::KeptSteps eventsOf(std::size_t index) const {
        return events_.span().from(lines_.firstOf(index) - firstWhole());
    }
    /// The first event that may be followed through the whole image.
    [[nodiscard]] std::size_t firstWhole() const {
        const std::size_t part = ofEvents_.size() > 0 ? keptParts_ : 0;
        return part < lines_.parts() ? lines_.firstOf(part) : lines_.events();
    }

    /// Counts the pieces of every part, shares them out among blocks and puts them in place.
    void placePieces() {
        const std::vector<device::LinePart> parts = lines_.allParts();
        const std::size_t places = static_cast<std::size_t>(tiles_.tiles()) * kTileLengths;
        const DeviceBuffer<std::uint32_t> counts = space_.buffer<std::uint32_t>(places, "counts of pieces");
        const std::size_t room = StepsBuffer::room(space_);
        std::vector<TileItem> items;
        std::vector<unsigned long long> begins;  // [part][tile][length class]
        unsigned long long kept = 0;
        unsigned long long others = 0;
        unsigned long long most = 0;
        for (const device::LinePart& part : parts) {
            check(cudaMemsetAsync(counts.get(), 0, counts.bytes(), space_.stream()), "clear counts");
            device::countPieces(space_.stream(), part, tiles_, counts.span());
            const std::vector<std::uint32_t> found = fetched(space_, counts);
            const unsigned long long pieces = std::accumulate(found.begin(), found.end(), 0ULL);
            const bool fits = others == 0 && kept + pieces <= room;
            unsigned long long& before = fits ? kept : others;
            const TileShares mine = sharesOf(space_, tiles_, found, before);
            itemsOf_.push_back({items.size(), mine.items.size()});
            items.insert(items.end(), mine.items.begin(), mine.items.end());
            begins.insert(begins.end(), mine.begins.begin(), mine.begins.end());
            before += pieces;
            keptParts_ += fits ? 1 : 0;
            most = fits ? std::max(most, pieces) : most;
        }
        items_ = space_.uploaded(items, "shares of pieces");
        const auto cursors = space_.uploaded(begins, "places of pieces");
        allocatePieces(kept, most, others);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto mine = cursors.span().part(i * places, places);
            if (itemsOf_[i].count > 0 || keeps(i)) {
                placePart(i, parts[i], mine);
            }
        }
        space_.finish();  // the cursors go
    }

    void placePart(std::size_t index, const device::LinePart& part, DeviceSpan<unsigned long long> cursors) {
        if (keeps(index)) {
            device::keepPieces(space_.stream(), part, tiles_, cursors, kept_.span(), slots(index));
        } else {
            device::placePieces(space_.stream(), part, tiles_, cursors, pieces_.span());
        }
    }

    /// Memory for the pieces of parts that are kept, `most` in one, and for those of others.
    void allocatePieces(std::size_t kept, std::size_t most, std::size_t others) {
        const auto cache = static_cast<std::size_t>(space_.device().properties().l2CacheSize);
        const bool byTiles = kept > 0 && sums_.size() * sizeof(float) > cache / 4;
        kept_ = StepsBuffer(space_, kept, byTiles ? StepsBuffer::Slots::EachPiece : StepsBuffer::Slots::None);
        if (others > 0) {
            pieces_ = space_.buffer<std::uint32_t>(others, "pieces of events");
        }
        if (byTiles) {
            ofEvents_ = space_.buffer<uint2>(lines_.events(), "pieces of events");
            next_ = space_.buffer<unsigned>(1, "places of pieces");
            seen_ = space_.buffer<float>(most, "sums of pieces");
        }
    }

    /// Pieces come first: they gain more.
    void keepEvents(std::size_t voxels) {
        const std::size_t count = lines_.events() - firstWhole();
        if (voxels > device::kMostKept || count > StepsBuffer::room(space_)) {
            return;
        }
        events_ = StepsBuffer(space_, count, StepsBuffer::Slots::None);
        for (std::size_t i = 0; !events_.empty() && i < lines_.parts(); ++i) {
            if (!seesByTiles(i)) {
                device::keepEvents(space_.stream(), lines_.part(i), eventsOf(i));
            }
        }
    }

    CudaSpace& space_;
    std::array<int, 3> size_;
    DeviceLines lines_;
    TileGrid tiles_;
    std::vector<PartItems> itemsOf_;  ///< items of each part
    StepsBuffer events_;
    DeviceBuffer<std::uint32_t> pieces_;
    std::size_t keptParts_ = 0;  ///< the first ones; pieces_ are of the others
    StepsBuffer kept_;
    DeviceBuffer<TileItem> items_;
    DeviceBuffer<uint2> ofEvents_;  ///< slots of each event's pieces
    DeviceBuffer<unsigned> next_;
    DeviceBuffer<float> seen_;  ///< by the pieces of the part at work
    DeviceBuffer<device::FixedSum> sums_;
    DeviceBuffer<device::TypicalDatum> typical_;
    DeviceBuffer<device::FixedScale> scale_;
    TileEnds ends_;
};

}  // namespace

std::unique_ptr<LineStrategy> makeTileLines(const LineWork& work) {
    if (work.lines.events() == nullptr || !shortTimes(work)) {
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
