// SPDX-License-Identifier: Apache-2.0
// Lists whose event i is a function of (seed, i) alone: made by the threads of a process, or of several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/simulate/simulation.h"
#include "recon/simulate/slices.h"

namespace tof {

/// What events of a list are made by.
struct EventMaker {
    std::size_t perChunk = 1;  ///< events that one thread makes at a time
    /// Makes room for n events in the columns that make() fills.
    std::function<void(std::size_t n, EventList& events)> resize;
    /// Makes event `index` at a place of a list, and counts its pairs; called by several threads.
    std::function<void(std::size_t index, std::size_t place, EventList& events, SimulationReport& report)>
        make;
};

/// Events that a rank makes before the first one takes them: some seconds of work.
inline constexpr std::size_t kEventsPerRound = std::size_t{1} << 18U;

/// The events [0, count) and, added to `total`, what became of their pairs. Of hooks: progress and ranks, of
/// which all but the first get an empty list.
[[nodiscard]] EventList makeEvents(std::uint64_t count, const EventMaker& maker, const ThreadPool& pool,
                                   const SimulationHooks& hooks, SimulationReport& total);

}  // namespace tof
