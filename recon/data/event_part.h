// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/data/events.h"

namespace tof {

/// Takes the events out of a part of a list that is handed over again and again; what is said of the list
/// stays, and the memory, as the next part is as long.
inline void clearEvents(EventList& part) {
    part.crystals.clear();
    part.dt_ps.clear();
    part.kind.clear();
    part.scatters.clear();
    part.energy_keV.clear();
    part.time_ms.clear();
}

/// The crystals of those pairs of a part whose photons come from one decay.
[[nodiscard]] inline EventList pairsOfOneDecay(const EventList& part) {
    EventList pairs;
    for (std::size_t i = 0; i < part.size(); ++i) {
        if (part.kind[i] != EventKind::Random) {
            pairs.crystals.push_back(part.crystals[i]);
        }
    }
    return pairs;
}

}  // namespace tof
