// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/histo/histo_frames.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/frames/frame_list.h"

namespace tof {

namespace {

/// What is asked of frames that histo-images cannot give.
void requireCuttable(const BinContext& context) {
    const BinRequest& request = context.request();
    if (request.trilinear) {
        throw WrongUse("--frames keeps whole events in their voxels; leave --trilinear out");
    }
    if (!context.ranks().alone()) {
        throw WrongUse("--frames cuts a list in one process; start it without mpirun");
    }
}

EventList eventsOf(const EventList& part, const FrameCutter::Piece& piece) {
    const auto from = static_cast<std::ptrdiff_t>(piece.begin);
    const auto to = static_cast<std::ptrdiff_t>(piece.end);
    EventList events;
    events.crystals.assign(part.crystals.begin() + from, part.crystals.begin() + to);
    if (!part.dt_ps.empty()) {
        events.dt_ps.assign(part.dt_ps.begin() + from, part.dt_ps.begin() + to);
    }
    return events;
}

}  // namespace

FramedDeposit::FramedDeposit(const BinContext& context, EventDeposit& deposit, const EventList& scan,
                             std::uint64_t events)
    : context_(context), deposit_(deposit) {
    const BinRequest& request = context.request();
    if (request.frames.empty()) {
        return;
    }
    requireCuttable(context);
    context.requireRoom(sizeof(std::uint32_t) * static_cast<double>(events));
    cutter_.emplace(framesFrom(request.frames), request.input, scan.duration_s);
    collector_.emplace(cutter_->frames(),
                       static_cast<std::size_t>(request.azimuths) * static_cast<std::size_t>(request.tilts));
    deposit_.tell([this](const DepositedBatch& batch) {
        collector_->add(batch.starts, batch.voxels, batch.outside, batch.rejected);
    });
}

void FramedDeposit::addAt(std::uint64_t first, const EventList& part,
                          const std::function<void(double)>& progress) {
    if (!cutter_) {
        deposit_.addAt(first, part, progress);
        return;
    }
    if (part.time_ms.size() != part.size()) {
        throw BadInput(
            "{}: does not say when its events happened, so it cannot be cut into frames; bin it "
            "without --frames",
            context_.request().input);
    }
    for (const FrameCutter::Piece& piece : cutter_->cut(part.time_ms)) {
        collector_->begin(piece.frame);
        const auto told = [&](double share) {
            const double events = share * static_cast<double>(piece.end - piece.begin);
            progress((static_cast<double>(piece.begin) + events) / static_cast<double>(part.size()));
        };
        if (piece.end - piece.begin == part.size()) {
            deposit_.addAt(first, part, told);
        } else {
            deposit_.addAt(first + piece.begin, eventsOf(part, piece), told);
        }
    }
}

HistoData FramedDeposit::take(const EventList& scan) {
    HistoData data = deposit_.take(scan);
    if (!cutter_) {
        return data;
    }
    cutter_->finish();
    context_.note(cutter_->note());
    auto frames = std::make_shared<FramedCounts>();
    frames->frames = collector_->take();
    frames->nuclide = context_.request().nuclide;
    frames->between = cutter_->between();
    double duration_s = 0;
    for (std::size_t i = 0; i < frames->frames.size(); ++i) {
        duration_s += frames->frames[i].time.duration_s;
        if (frames->frames[i].kept == 0) {
            context_.note(fmt::format("{}: frame {} holds no events; its image will be zero",
                                      context_.request().input, frameText(cutter_->frames(), i)));
        }
    }
    constexpr double kSlack_s = 1e-3;
    if (std::abs(duration_s - scan.duration_s) > kSlack_s) {  // totals are those of the whole scan
        data.duration_s = duration_s;
        data.decays = 0;
        data.singles = 0;
    }
    data.frames = std::move(frames);
    return data;
}

}  // namespace tof
