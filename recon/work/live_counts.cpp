// SPDX-License-Identifier: Apache-2.0
#include "recon/work/live_counts.h"

#include <utility>

namespace tof {

void LiveCounts::arrived(const DepositedBatch& batch, std::uint64_t events, std::uint32_t time_ms,
                         Clock::time_point seen) {
    Batch kept{{batch.starts.begin(), batch.starts.end()},
               {batch.voxels.begin(), batch.voxels.end()},
               events,
               time_ms,
               seen};
    const std::lock_guard lock(mutex_);
    arrived_.push_back(std::move(kept));
}

void LiveCounts::setViews(HistoData views) {
    views.counts.assign(views.views.size() * views.voxels(), 0.0F);
    views.hash = "live";  // sensitivities, which do not depend on counts, are kept by it
    data_ = std::make_shared<HistoData>(std::move(views));
    shown_ = data_;
}

bool LiveCounts::takeIn() {
    std::deque<Batch> fresh;
    {
        const std::lock_guard lock(mutex_);
        fresh.swap(arrived_);
    }
    if (fresh.empty()) {
        return false;
    }
    oldest_ = fresh.front().seen;
    events_ = fresh.back().events;
    const double now_ms = fresh.back().time_ms;
    for (Batch& batch : fresh) {
        add(batch, 1.0F, added_);
        if (last_ms_ > 0) {
            kept_.push_back(std::move(batch));
        }
    }
    while (!kept_.empty() && kept_.front().time_ms < now_ms - last_ms_) {
        add(kept_.front(), -1.0F, removed_);
        kept_.pop_front();
    }
    return true;
}

/// Whole numbers below 2^24 stay exact whatever is added and taken out again.
void LiveCounts::add(const Batch& batch, float what, std::vector<std::uint64_t>& places) {
    const std::size_t voxels = data_->voxels();
    const std::size_t before = places.size();
    places.resize(before + batch.voxels.size());
    pool_.forRange(batch.starts.size() - 1, 1, [&](std::size_t view, std::size_t) {
        for (std::size_t i = batch.starts[view]; i < batch.starts[view + 1]; ++i) {
            const std::size_t place = view * voxels + batch.voxels[i];
            places[before + i] = place;
            data_->counts[place] += what;
        }
    });
    const std::uint64_t events = batch.voxels.size();
    data_->kept = what > 0 ? data_->kept + events : data_->kept - events;
}

void LiveCounts::forgetPlaces() {
    added_.clear();
    removed_.clear();
}

HistoData LiveCounts::release() {
    shown_.reset();
    HistoData views = std::move(*data_);
    data_.reset();
    views.counts = {};
    views.kept = 0;
    return views;
}

}  // namespace tof
