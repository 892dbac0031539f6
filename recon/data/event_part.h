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

}  // namespace tof
