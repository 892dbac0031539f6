// SPDX-License-Identifier: Apache-2.0
// Histo-images with their corrections, of events from anywhere.
#pragma once

#include <functional>
#include <memory>

#include "recon/forms/form/event_source.h"

namespace tof {

/// Events to histo-images with corrections. `events` go as soon as they are counted: a large list and its
/// corrections need not be in memory together.
[[nodiscard]] HistoData binHistoImages(EventList events, const Scanner& scanner, const BinRequest& request,
                                       const ThreadPool& pool, WorkProgress& progress);
[[nodiscard]] HistoData binHistoImages(EventList events, const Scanner& scanner, const BinContext& context);
/// Makes them of a list that need not be in memory.
[[nodiscard]] HistoData binHistoImages(EventSource& source, const BinContext& context);

/// Events that come in parts to histo-images with corrections: what binHistoImages() makes of one list of
/// all.
class PartwiseHistoImages {
  public:
    /// The request's views, lattice, deposit and `mu` count. Keeps references.
    PartwiseHistoImages(const Scanner& scanner, const BinRequest& request, const ThreadPool& pool,
                        WorkProgress& progress);
    PartwiseHistoImages(const PartwiseHistoImages&) = delete;
    PartwiseHistoImages& operator=(const PartwiseHistoImages&) = delete;
    ~PartwiseHistoImages();
    void add(const EventList& part);
    /// Tells of every batch that is added from now on (EventDeposit::tell).
    void tell(std::function<void(const DepositedBatch&)> listener);
    /// The views with their factors and without counts; `scan` says what attenuates. Another thread may add()
    /// meanwhile.
    [[nodiscard]] HistoData factors(const EventList& scan) const;
    /// `scan` says what is known of the whole scan.
    [[nodiscard]] HistoData finish(const EventList& scan);
    /// Counts of a scan, without factors.
    [[nodiscard]] HistoData takeCounts(const EventList& scan);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace tof
