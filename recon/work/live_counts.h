// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/binning/binning.h"
#include "recon/data/histo_data.h"

namespace tof {

/// The counts that images are made of while a list grows: those of everything, or of the scan's last seconds.
/// One thread brings batches and another one takes them in, when no image is being made of them.
class LiveCounts {
  public:
    using Clock = std::chrono::steady_clock;

    /// `last_s`: seconds of the scan; 0: all of it. `threads` take batches in.
    explicit LiveCounts(double last_s, int threads = 1) : last_ms_(1e3 * last_s), pool_(threads) {}

    /// A batch whose events end with number `events` of the list at `time_ms` of the scan, and which was seen
    /// at `seen`. For the one thread.
    void arrived(const DepositedBatch& batch, std::uint64_t events, std::uint32_t time_ms,
                 Clock::time_point seen);

    /// Views and factors, with no counts in them yet. From here on all is for the other thread.
    void setViews(HistoData views);
    /// Counts what has arrived, and takes out what has become too old; false where nothing has arrived.
    [[nodiscard]] bool takeIn();
    [[nodiscard]] const std::shared_ptr<const HistoData>& data() const { return shown_; }
    /// Places among the counts of all views of what was counted and taken out since forgetPlaces().
    [[nodiscard]] const std::vector<std::uint64_t>& added() const { return added_; }
    [[nodiscard]] const std::vector<std::uint64_t>& removed() const { return removed_; }
    void forgetPlaces();
    /// The events of the list that takeIn() knows of.
    [[nodiscard]] std::uint64_t events() const { return events_; }
    /// When the oldest event that the last takeIn() has counted was seen.
    [[nodiscard]] Clock::time_point oldest() const { return oldest_; }
    /// Gives views and factors back without their counts.
    [[nodiscard]] HistoData release();

  private:
    struct Batch {
        std::vector<std::uint32_t> starts;
        std::vector<std::uint32_t> voxels;
        std::uint64_t events = 0;
        std::uint32_t time_ms = 0;
        Clock::time_point seen;
    };
    void add(const Batch& batch, float what, std::vector<std::uint64_t>& places);

    double last_ms_;
    ThreadPool pool_;
    std::mutex mutex_;
    std::deque<Batch> arrived_;
    std::deque<Batch> kept_;  ///< batches that may become too old
    std::shared_ptr<HistoData> data_;
    std::shared_ptr<const HistoData> shown_;
    std::vector<std::uint64_t> added_;
    std::vector<std::uint64_t> removed_;
    std::uint64_t events_ = 0;
    Clock::time_point oldest_;
};

}  // namespace tof
