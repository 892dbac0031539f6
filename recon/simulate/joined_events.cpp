// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/joined_events.h"

#include "recon/ranks/on_first.h"

namespace tof {

namespace {

template <class Events, class Visit>
void forEachColumn(Events& events, const Visit& visit) {
    visit(events.crystals);
    visit(events.dt_ps);
    visit(events.kind);
    visit(events.scatters);
    visit(events.energy_keV);
    visit(events.time_ms);
}

void joinSlices(Communicator& ranks, SliceEvents& slices) {
    joinEvents(ranks, slices.events);
    gatherOnFirst(ranks, slices.share);
    gatherOnFirst(ranks, slices.perSlice);
}

}  // namespace

void appendEvents(const EventList& from, std::size_t begin, std::size_t end, EventList& to) {
    const auto part = [&](const auto& source, auto& target) {
        if (!source.empty()) {
            target.insert(target.end(), source.begin() + static_cast<std::ptrdiff_t>(begin),
                          source.begin() + static_cast<std::ptrdiff_t>(end));
        }
    };
    part(from.crystals, to.crystals);
    part(from.dt_ps, to.dt_ps);
    part(from.kind, to.kind);
    part(from.scatters, to.scatters);
    part(from.energy_keV, to.energy_keV);
    part(from.time_ms, to.time_ms);
}

void joinEvents(Communicator& ranks, EventList& events) {
    forEachColumn(events, [&](auto& column) { gatherOnFirst(ranks, column); });
}

void joinSlices(Communicator& ranks, SliceBatch& batch) {
    joinSlices(ranks, batch.prompts);
    joinSlices(ranks, batch.delayeds);
    gatherOnFirst(ranks, batch.reports);
}

}  // namespace tof
