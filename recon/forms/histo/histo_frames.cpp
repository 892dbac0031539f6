// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/histo/histo_frames.h"

#include "recon/base/error.h"
#include "recon/ranks/on_first.h"

namespace tof {

namespace {

/// A batch as ranks hand it on: this many numbers and the starts of its views, with its voxels elsewhere.
constexpr std::size_t kNumbersOfBatch = 3;

}  // namespace

FramedDeposit::FramedDeposit(const BinContext& context, EventDeposit& deposit, const EventList& scan,
                             std::uint64_t events)
    : deposit_(deposit), ranks_(context.ranks()) {
    const BinRequest& request = context.request();
    if (!request.cut()) {
        return;
    }
    if (request.trilinear) {
        throw WrongUse("--frames keeps whole events in their voxels; leave --trilinear out");
    }
    views_ = static_cast<std::size_t>(request.azimuths) * static_cast<std::size_t>(request.tilts);
    list_.emplace(context, scan.duration_s, request.spillBeside.empty() ? events : 0, views_);
    list_->spill();
    deposit_.tell([this](const DepositedBatch& batch) { keep(batch); });
}

void FramedDeposit::addAt(std::uint64_t first, const EventList& part,
                          const std::function<void(double)>& progress) {
    if (!list_) {
        deposit_.addAt(first, part, progress);
        return;
    }
    const std::vector<FrameCutter::Piece> pieces = list_->cutInTurn(ranks_, part.time_ms, part.size());
    const auto turns = static_cast<std::size_t>(ranks_.maximum(static_cast<double>(pieces.size())));
    for (std::size_t turn = 0; turn < turns; ++turn) {
        if (turn < pieces.size()) {
            addPiece(first, part, pieces[turn], progress);
        } else {
            deposit_.addAt(first + part.size(), EventList());  // others have pieces left
        }
    }
    collect();
}

void FramedDeposit::addPiece(std::uint64_t first, const EventList& part, const FrameCutter::Piece& piece,
                             const std::function<void(double)>& progress) {
    at_ = piece.frame;
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

void FramedDeposit::keep(const DepositedBatch& batch) {
    if (batch.voxels.empty() && batch.outside == 0 && batch.rejected == 0) {
        return;
    }
    for (const std::uint64_t number : {std::uint64_t{at_}, batch.outside, batch.rejected}) {
        batches_.push_back(static_cast<std::uint32_t>(number));
    }
    batches_.insert(batches_.end(), batch.starts.begin(), batch.starts.end());
    voxels_.insert(voxels_.end(), batch.voxels.begin(), batch.voxels.end());
}

/// What ranks deposited of their parts comes together in the order of the list.
void FramedDeposit::collect() {
    gatherOnFirst(ranks_, batches_);
    gatherOnFirst(ranks_, voxels_);
    const std::size_t row = kNumbersOfBatch + views_ + 1;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < batches_.size(); at += row) {
        const std::span<const std::uint32_t> batch = std::span(batches_).subspan(at, row);
        const std::span<const std::uint32_t> starts = batch.subspan(kNumbersOfBatch);
        list_->collector().begin(batch[0]);
        list_->collector().add(starts, std::span(voxels_).subspan(begin, starts.back()), batch[1], batch[2]);
        begin += starts.back();
    }
    batches_.clear();
    voxels_.clear();
}

HistoData FramedDeposit::take(const EventList& scan) {
    HistoData data = deposit_.take(scan);
    if (list_) {
        list_->joinBetween(ranks_);
    }
    if (list_ && ranks_.first()) {
        list_->finish(data);
    }
    return data;
}

}  // namespace tof
