// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/histo/histo_frames.h"

#include "recon/base/error.h"

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
    events.time_ms.assign(part.time_ms.begin() + from, part.time_ms.begin() + to);
    return events;
}

}  // namespace

FramedDeposit::FramedDeposit(const BinContext& context, EventDeposit& deposit, const EventList& scan,
                             std::uint64_t events)
    : deposit_(deposit) {
    const BinRequest& request = context.request();
    if (!request.cut()) {
        return;
    }
    requireCuttable(context);
    list_.emplace(context, scan.duration_s, events,
                  static_cast<std::size_t>(request.azimuths) * static_cast<std::size_t>(request.tilts));
    deposit_.tell([this](const DepositedBatch& batch) {
        list_->collector().add(batch.starts, batch.voxels, batch.outside, batch.rejected);
    });
}

void FramedDeposit::addAt(std::uint64_t first, const EventList& part,
                          const std::function<void(double)>& progress) {
    if (!list_) {
        deposit_.addAt(first, part, progress);
        return;
    }
    for (const FrameCutter::Piece& piece : list_->cut(part.time_ms, part.size())) {
        list_->collector().begin(piece.frame);
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
    if (list_) {
        list_->finish(data);
    }
    return data;
}

}  // namespace tof
