// SPDX-License-Identifier: Apache-2.0
// `siddon` for lists that do not fit device memory: a part's events come beside the work on the part before,
// and their pieces in tiles are made anew.
#include <array>
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

constexpr std::size_t kNone = SIZE_MAX;
constexpr std::size_t kFloats = sizeof(device::EventRecord) / sizeof(float);

/// Two parts' events in device memory: the one at work and the one that is expected next.
class EventWindow {
  public:
    EventWindow(CudaSpace& space, const DeviceLines& lines) : space_(space), lines_(lines) {
        for (Slot& slot : slots_) {
            slot.records = space.allocate(kFloats * lines.onHost(0).size());
        }
        after_.resize(lines.parts());
        for (std::size_t part = 0; part < after_.size(); ++part) {
            after_[part] = (part + 1) % after_.size();
        }
    }

    /// The part, for work given from now on until the next call.
    [[nodiscard]] device::LinePart part(std::size_t index) {
        if (index != last_) {
            if (last_ != kNone) {
                after_[last_] = index;  // parts come in the same order in every iteration
            }
            space_.beginAside();
            bring(index);
            last_ = index;
        }
        const Slot& slot = slots_[now_];
        return lines_.part(index, {reinterpret_cast<const device::EventRecord*>(slot.records.view().data),
                                   lines_.onHost(index).size()});
    }

    /// When work on the part has been given: the next one sets out.
    void expectNext() {
        const std::size_t next = after_[last_];
        Slot& slot = slots_[1 - now_];
        if (slot.part != next && slots_[now_].part != next) {
            space_.uploadAside(events(next), slot.records.view().part(0, events(next).size()));
            slot.part = next;
        }
    }

    [[nodiscard]] std::size_t bytes() const {
        return (slots_[0].records.size() + slots_[1].records.size()) * sizeof(float);
    }

  private:
    struct Slot {
        Array records;
        std::size_t part = kNone;
    };

    [[nodiscard]] std::span<const float> events(std::size_t part) const {
        const std::span<const device::EventRecord> records = lines_.onHost(part);
        return {reinterpret_cast<const float*>(records.data()), kFloats * records.size()};
    }

    void bring(std::size_t part) {
        const std::size_t other = 1 - now_;
        if (slots_[now_].part == part) {
            return;
        }
        now_ = other;
        if (slots_[other].part == part) {
            space_.joinAside();
            return;
        }
        if (slots_[other].part != kNone) {
            space_.joinAside();  // another part that was expected there may be on its way
        }
        space_.upload(events(part), slots_[other].records.view().part(0, events(part).size()));
        slots_[other].part = part;
    }

    CudaSpace& space_;
    const DeviceLines& lines_;
    std::array<Slot, 2> slots_;
    std::size_t now_ = 0;
    std::size_t last_ = kNone;
    std::vector<std::size_t> after_;  ///< which part comes after each
};

class StreamedLines : public LineStrategy {
  public:
    explicit StreamedLines(const LineWork& work)
        : space_(work.space),
          size_(work.model.lattice.size),
          lines_(work, EventOrder::OnHost),
          window_(space_, lines_),
          tiles_(tileGrid(lines_.part(0).op.grid, meanDirection(*work.lines.events()),
                          device::tileWords(lines_.eventTable()))),
          sums_(space_.buffer<device::FixedSum>(work.model.lattice.voxels(), "fixed-point sums")),
          typical_(space_.buffer<device::TypicalDatum>(1, "typical datum")),
          scale_(space_.buffer<device::FixedScale>(1, "unit of a fixed point")),
          ends_(space_, tiles_) {
        device::allowTiles(lines_.part(0).op, lines_.eventTable(), tiles_);
        check(cudaMemsetAsync(sums_.get(), 0, sums_.bytes(), space_.stream()), "clear sums");
        sharePieces();
    }

    [[nodiscard]] bool recordable() const override { return false; }

    void forward(std::size_t index, DeviceSpan<const float> image, DeviceSpan<float> p) override {
        device::eventForward(space_.stream(), window_.part(index), lines_.eventTable(), image, p);
    }

    void back(std::size_t index, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        const cudaStream_t stream = space_.stream();
        const device::LinePart part = window_.part(index);
        device::tileScale(stream, part, p, typical_.span(), scale_.span());
        const PartItems& mine = itemsOf_[index];
        device::TilePart tile{tiles_, pieces_.span(), {}, kept_.span()};
        if (mine.count > 0) {
            placePieces(index, part);
            tile.items = items_.span().part(mine.first, mine.count);
        }
        device::tileBack(stream, part, lines_.eventTable(), tile, p, scale_.span(), sums_.span(),
                         ends_.of(image, write));
        if (!ends_.byTiles()) {
            device::lineFinishFixed(stream, part, size_, scale_.span(), sums_.span(), write, image);
        }
        window_.expectNext();
    }

    [[nodiscard]] std::size_t bytes() const override {
        return lines_.bytes() + window_.bytes() + pieces_.bytes() + kept_.bytes() + items_.bytes() +
               begins_.bytes() + cursors_.bytes() + sums_.bytes();
    }

  private:
    [[nodiscard]] std::size_t places() const {
        return static_cast<std::size_t>(tiles_.tiles()) * kTileLengths;
    }

    /// Counts the pieces of every part and shares them out among blocks.
    void sharePieces() {
        const DeviceBuffer<std::uint32_t> counts = space_.buffer<std::uint32_t>(places(), "counts of pieces");
        std::vector<TileItem> items;
        std::vector<unsigned long long> begins;  // [part][tile][length class]
        unsigned long long most = 0;
        for (std::size_t i = 0; i < lines_.parts(); ++i) {
            check(cudaMemsetAsync(counts.get(), 0, counts.bytes(), space_.stream()), "clear counts");
            device::countPieces(space_.stream(), window_.part(i), tiles_, counts.span());
            window_.expectNext();
            const TileShares mine = sharesOf(space_, tiles_, fetched(space_, counts), 0);
            itemsOf_.push_back({items.size(), mine.items.size()});
            items.insert(items.end(), mine.items.begin(), mine.items.end());
            begins.insert(begins.end(), mine.begins.begin(), mine.begins.end());
            most = std::max(most, mine.pieces);
        }
        items_ = space_.uploaded(items, "shares of pieces");
        begins_ = space_.uploaded(begins, "places of pieces");
        cursors_ = space_.buffer<unsigned long long>(places(), "places of pieces");
        if (most <= StepsBuffer::room(space_)) {
            kept_ = StepsBuffer(space_, most, StepsBuffer::Slots::None);
        }
        if (kept_.empty() && most > 0) {
            pieces_ = space_.buffer<std::uint32_t>(most, "pieces of events");
        }
        space_.finish();  // the lists go
    }

    void placePieces(std::size_t index, const device::LinePart& part) {
        const cudaStream_t stream = space_.stream();
        check(cudaMemcpyAsync(cursors_.get(), begins_.get() + index * places(), cursors_.bytes(),
                              cudaMemcpyDeviceToDevice, stream),
              "set out places of pieces");
        if (!kept_.empty()) {
            device::keepPieces(stream, part, tiles_, cursors_.span(), kept_.span(), {});
        } else {
            device::placePieces(stream, part, tiles_, cursors_.span(), pieces_.span());
        }
    }

    CudaSpace& space_;
    std::array<int, 3> size_;
    DeviceLines lines_;
    EventWindow window_;
    TileGrid tiles_;
    std::vector<PartItems> itemsOf_;  ///< items of each part
    // What the part at work has:
    DeviceBuffer<std::uint32_t> pieces_;
    StepsBuffer kept_;  ///< in place of pieces_ where it has room
    DeviceBuffer<unsigned long long> cursors_;
    // What all parts have:
    DeviceBuffer<TileItem> items_;
    DeviceBuffer<unsigned long long> begins_;
    DeviceBuffer<device::FixedSum> sums_;
    DeviceBuffer<device::TypicalDatum> typical_;
    DeviceBuffer<device::FixedScale> scale_;
    TileEnds ends_;
};

}  // namespace

std::unique_ptr<LineStrategy> makeStreamedLines(const LineWork& work) {
    if (work.lines.events() == nullptr || !shortTimes(work) || work.lines.parts() == 0) {
        return nullptr;
    }
    return std::make_unique<StreamedLines>(work);
}

}  // namespace tof
