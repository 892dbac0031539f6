// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "recon/data/framed_counts.h"
#include "recon/data/line_data.h"
#include "recon/forms/form/bin_context.h"
#include "recon/forms/form/event_source.h"
#include "recon/frames/frame_collector.h"
#include "recon/frames/frame_cutter.h"

namespace tof {

/// Half life of what was asked for, s; 0: nobody says what decays.
[[nodiscard]] double halfLifeOf(const BinRequest& request);
/// What cuts a list that is `duration_s` long as it was asked. Throws WrongUse, BadInput.
[[nodiscard]] FrameCutter cutterFor(const BinRequest& request, double duration_s);

/// Cuts a list by time for data of any form, which says into which cell every event went, and has the counts
/// of the frames in the end. Parts of the list come in the order of time.
class ListCut {
  public:
    /// `duration_s`: what the list says of its length, 0: nothing. `events`: those whose cells stay in
    /// memory. `parts`: as FrameCounts has them. Keeps a reference. Throws WrongUse, BadInput.
    ListCut(const BinContext& context, double duration_s, std::uint64_t events, std::size_t parts);

    /// The frames of a part of `events` events. Throws BadInput where they have no times.
    [[nodiscard]] std::vector<FrameCutter::Piece> cut(std::span<const std::uint32_t> time_ms,
                                                      std::size_t events);
    /// Cuts this rank's of the parts that all `ranks` have next, which lie in the list in their order.
    [[nodiscard]] std::vector<FrameCutter::Piece> cutInTurn(Communicator& ranks,
                                                            std::span<const std::uint32_t> time_ms,
                                                            std::size_t events);
    /// The first rank gets what all have counted between the frames. Called by all, after the last part.
    void joinBetween(Communicator& ranks);
    /// Data of one part: the next events, by their cells. Throws BadInput, CannotWrite.
    void add(std::span<const std::uint32_t> time_ms, std::span<const std::uint32_t> cells);
    /// Likewise, this rank's of the parts that all `ranks` have next; the first rank has the cells of all.
    void addInTurn(Communicator& ranks, std::span<const std::uint32_t> time_ms,
                   std::span<const std::uint32_t> cells);
    /// Keeps cells of batches outside of memory where the request says so.
    void spill();
    [[nodiscard]] FrameCollector& collector() { return collector_; }
    /// The poses of every frame, where something moved.
    void setPoses(std::vector<FramePoses> poses) { poses_ = std::move(poses); }

    /// Says what the frames leave out, and gives them to data that count the same events; totals of the whole
    /// list go where the frames leave out time.
    template <class Data>
    void finish(Data& data) {
        auto frames = std::make_shared<FramedCounts>(take());
        const double measured_s =
            std::accumulate(frames->frames.begin(), frames->frames.end(), 0.0,
                            [](double sum, const FrameCounts& one) { return sum + one.measured_s(); });
        constexpr double kSlack_s = 1e-3;
        if (std::abs(measured_s - data.duration_s) > kSlack_s) {
            data.duration_s = measured_s;
            data.decays = 0;
            data.singles = 0;
        }
        data.frames = std::move(frames);
    }

  private:
    void requireTimes(std::span<const std::uint32_t> time_ms, std::size_t events) const;
    [[nodiscard]] FramedCounts take();

    const BinContext& context_;
    FrameCutter cutter_;
    FrameCollector collector_;
    std::vector<FramePoses> poses_;
    std::uint64_t ofOthers_ = 0;  ///< events between the frames, by other ranks
};

/// The events of a part that a piece of it has.
[[nodiscard]] EventList eventsOf(const EventList& part, const FrameCutter::Piece& piece);

/// Makes of the counts of data of one part those that their frames have.
void countFrames(const FramedCounts& frames, std::vector<float>& counts);

/// Gives data of one part the frames of a list that has been cut, and the events that these reject.
template <class Data>
void finishFrames(ListCut& list, Data& data) {
    list.finish(data);
    data.rejected = 0;
    for (const FrameCounts& frame : data.frames->frames) {
        data.rejected += frame.rejected;
    }
}

/// Does so, and makes the counts those of the frames.
template <class Data>
void finishCells(ListCut& list, Data& data) {
    finishFrames(list, data);
    if constexpr (requires { data.kept; }) {
        data.kept = data.frames->kept();
        countFrames(*data.frames, data.counts);
    } else {
        keepFramed(data);
    }
}

/// Frames of data of one part: `cells` are those of all events of the list, kNoCell where an event has none,
/// and `time_ms` say when each happened. Counts become those of the frames. Of lines each of which is an
/// event those go that are in no frame. `poses`: those of every frame, where something moved.
template <class Data>
void cutCells(const BinContext& context, std::span<const std::uint32_t> time_ms,
              std::span<const std::uint32_t> cells, Data& data, std::vector<FramePoses> poses = {}) {
    constexpr bool counted = requires {
        data.kept;
    };  // else events are the data, and stay
    ListCut list(context, data.duration_s,
                 counted && !context.request().spillBeside.empty() ? 0 : cells.size(), 1);
    if (counted) {
        list.spill();
    }
    list.setPoses(std::move(poses));
    list.add(time_ms, cells);
    finishCells(list, data);
}

/// Frames of data of one part whose list is read in parts: count(first, part, cells) gives the cells of a
/// part. `data`: those of no events. Ranks take parts in turn; the first one has the data of all.
template <class Data, class Count>
void cutInParts(const BinContext& context, EventSource& source, Data& data, const Count& count) {
    const std::uint64_t events = source.stream()->size();
    const bool inMemory = source.sharers()->first() && context.request().spillBeside.empty();
    ListCut list(context, data.duration_s, inMemory ? events : 0, 1);
    list.spill();
    std::vector<std::uint32_t> cells;
    source.forParts(context.progress().begin("deposit"),
                    [&](std::uint64_t first, const EventList& part, const std::function<void(double)>& done) {
                        cells.clear();
                        count(first, part, cells);
                        list.addInTurn(*source.sharers(), part.time_ms, cells);
                        done(1);
                    });
    list.joinBetween(*source.sharers());
    if (source.sharers()->first()) {
        finishCells(list, data);
    }
}

/// Whether a list is cut so: from parts that say times.
[[nodiscard]] inline bool isCutInParts(const BinContext& context, const EventSource& source) {
    return context.request().cut() && source.stream() != nullptr;
}

}  // namespace tof
