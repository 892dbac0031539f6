// SPDX-License-Identifier: Apache-2.0
// Simulated events of several slices of time, or ranks, put together.
#pragma once

#include <cstddef>

#include "recon/data/events.h"
#include "recon/simulate/slices.h"

namespace tof {

/// Adds the events [begin, end) of `from` behind those of `to`: the columns that simulations fill.
void appendEvents(const EventList& from, std::size_t begin, std::size_t end, EventList& to);
/// Adds many events, by all threads; where the list has no room, it gets room for `more` others.
void appendEvents(const EventList& from, std::size_t begin, std::size_t end, std::size_t more,
                  const ThreadPool& pool, EventList& to);

/// The events by their times; those of one ms stay in their order.
[[nodiscard]] EventList inOrderOfTime(const EventList& events);

/// Called by all ranks: on the first, events get those of all others behind them in the order of ranks;
/// elsewhere they go.
void joinEvents(Communicator& ranks, EventList& events);
/// Joins consecutive slices of time, and what became of their pairs.
void joinSlices(Communicator& ranks, SliceBatch& batch);

}  // namespace tof
