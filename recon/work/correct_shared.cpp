// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct_shared.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "recon/base/error.h"
#include "recon/corrections/randoms_of_views.h"
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

std::optional<RandomsBy> wantedRandoms(const CorrectRequest& request) {
    return request.switches.randoms    ? request.switches.randoms
           : !request.singles.empty()  ? std::optional(RandomsBy::Singles)
           : !request.delayeds.empty() ? std::optional(RandomsBy::Delayeds)
                                       : std::nullopt;
}

double partnersLeave(const std::vector<double>& rates, const Scanner& scanner, std::uint64_t prompts,
                     double randoms, double duration_s, double busyPerRecorded) {
    const double coincidences = std::max(0.0, static_cast<double>(prompts) - randoms) / duration_s;
    return randomsThatPartnersLeave(rates, scanner, coincidences, busyPerRecorded);
}

double busyPerRecorded(const CrystalSingles& singles) {
    const double recorded = std::accumulate(singles.recorded.begin(), singles.recorded.end(), 0.0);
    const double busy = std::accumulate(singles.busy.begin(), singles.busy.end(), 0.0);
    return busy > 0 ? busy / recorded : 1;
}

Volume attenuationOf(const std::string& mu, MuUnits units, const std::string& phantom, const Lattice& lattice,
                     double spacing_mm, const std::string& source, WorkProgress& progress) {
    if (!mu.empty()) {
        AttenuationMap map = readAttenuationMap(mu, units);
        if (!map.note.empty()) {
            progress.note(Remark::Data, map.note);
        }
        return std::move(map.volume);
    }
    if (phantom.empty()) {
        throw WrongUse("{}: names no phantom that would say what attenuates; give --mu FILE", source);
    }
    return Phantom::fromNameOrText(phantom, source, readVolume).wholeAttenuation(lattice, spacing_mm);
}

}  // namespace tof
