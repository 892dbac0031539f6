// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct_shared.h"

#include <cmath>
#include <utility>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/io/format_table.h"
#include "recon/phantom/phantom.h"

namespace tof {

EventList readNormalisation(const std::string& path) {
    EventList events = recognise(path).readEvents({}).events;
    if (events.phantom.empty()) {
        throw WrongUse(
            "{}: does not say what was measured; a normalisation needs a list that names its phantom", path);
    }
    if (!events.kind.empty()) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (events.kind[i] == EventKind::True) {
                events.crystals[kept++] = events.crystals[i];
            }
        }
        events.crystals.resize(kept);
    }
    return events;
}

double deviationOf(const std::vector<double>& efficiencies) {
    double squares = 0;
    for (const double efficiency : efficiencies) {
        squares += (efficiency - 1) * (efficiency - 1);
    }
    return std::sqrt(squares / static_cast<double>(efficiencies.size()));
}

Volume attenuationOf(const std::string& mu, MuUnits units, const std::string& phantom, const Lattice& lattice,
                     const std::string& source, WorkProgress& progress) {
    if (!mu.empty()) {
        AttenuationMap map = readAttenuationMap(mu, units);
        if (!map.note.empty()) {
            progress.note(Remark::Data, map.note);
        }
        return std::move(map.volume);
    }
    if (phantom.empty()) {
        throw WrongUse("{}: names no phantom, and scatter needs to know what attenuates; give --mu FILE",
                       source);
    }
    return Phantom::fromNameOrText(phantom, source, readVolume)
        .wholeAttenuation(lattice, 2 * kAttenuationSpacing_mm);
}

}  // namespace tof
