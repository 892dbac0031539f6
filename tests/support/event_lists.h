// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "recon/data/events.h"

namespace tof::test {

/// Crystals and times of those events for whose number `chosen` says yes, asked in order; nothing else is
/// known of them.
template <typename Chosen>
[[nodiscard]] EventList eventsThat(const EventList& events, const Chosen& chosen) {
    EventList kept = events;
    kept.crystals.clear();
    kept.dt_ps.clear();
    kept.kind.clear();
    kept.scatters.clear();
    kept.energy_keV.clear();
    kept.mult.clear();
    kept.add.clear();
    kept.time_ms.clear();
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (chosen(i)) {
            kept.crystals.push_back(events.crystals[i]);
            kept.dt_ps.push_back(events.dt_ps[i]);
        }
    }
    return kept;
}

[[nodiscard]] inline EventList ofKind(const EventList& events, EventKind kind) {
    return eventsThat(events, [&](std::size_t i) { return events.kind[i] == kind; });
}

}  // namespace tof::test
