// SPDX-License-Identifier: Apache-2.0
// Histo-images with their corrections, of events from anywhere.
#pragma once

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
    /// `scan` says what is known of the whole scan.
    [[nodiscard]] HistoData finish(const EventList& scan);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace tof
