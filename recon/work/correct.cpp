// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/format_table.h"
#include "recon/phantom/phantom.h"
#include "recon/work/list_scanner.h"

namespace tof {

namespace {

Volume attenuationOf(const HistoData& data, const std::string& source, const CorrectRequest& request,
                     WorkProgress& progress) {
    if (!request.mu.empty()) {
        AttenuationMap map = readAttenuationMap(request.mu, request.muUnits);
        if (!map.note.empty()) {
            progress.note(Remark::Data, map.note);
        }
        return std::move(map.volume);
    }
    if (data.phantom.empty()) {
        throw WrongUse("{}: names no phantom, and scatter needs to know what attenuates; give --mu FILE",
                       source);
    }
    return Phantom::fromNameOrText(data.phantom, source, readVolume)
        .wholeAttenuation(data.lattice, 2 * kAttenuationSpacing_mm);
}

/// Without what was scattered or came together by chance, where the list says so.
EventList truesOf(EventList events) {
    if (events.kind.empty()) {
        return events;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events.kind[i] == EventKind::True) {
            events.crystals[kept++] = events.crystals[i];
        }
    }
    events.crystals.resize(kept);
    return events;
}

/// The spread of the efficiencies that were applied.
double normalise(HistoData& data, const Scanner& scanner, const std::string& list, const ThreadPool& pool) {
    const EventList events = truesOf(recognise(list).readEvents({}).events);
    if (events.phantom.empty()) {
        throw WrongUse(
            "{}: does not say what was measured; a normalisation needs a list that names its phantom", list);
    }
    const Phantom source = Phantom::fromNameOrText(events.phantom, list, readVolume);
    const std::vector<double> found = crystalEfficiencies(events, scanner, source, pool);
    applyEfficiencies(data, scanner, found, pool);
    double squares = 0;
    for (const double efficiency : found) {
        squares += (efficiency - 1) * (efficiency - 1);
    }
    return std::sqrt(squares / static_cast<double>(found.size()));
}

}  // namespace

CorrectResult correct(HistoData& data, const std::string& source, const CorrectRequest& request,
                      const ThreadPool& pool, WorkProgress& progress) {
    if (data.scannerJson.empty()) {
        throw WrongUse("{}: does not say which scanner it is of; bin the list again", source);
    }
    const Scanner scanner = Scanner::fromJson(data.scannerJson, source);
    CorrectResult result;
    if (!request.norm.empty()) {
        progress.stage("efficiencies");
        result.efficiencySd = normalise(data, scanner, request.norm, pool);
    }
    if (request.delayeds.empty() && !request.scatter) {
        return result;
    }
    data.add.assign(data.counts.size(), 0.0F);
    if (!request.delayeds.empty()) {
        progress.stage("randoms");
        const EventList delayeds = recognise(request.delayeds).readEvents({}).events;
        const double duration_s = delayeds.duration_s > 0 ? delayeds.duration_s : data.duration_s;
        const std::vector<double> rates = ratesOfDelayeds(delayeds, scanner, duration_s, pool);
        result.randoms = eventsKept(delayeds, scanner, data.lattice, pool);
        data.add = randomsOfViews(rates, scanner, data, result.randoms, pool);
    }
    if (request.scatter) {
        const Volume mu = attenuationOf(data, source, request, progress);
        const ScatterFound found =
            findScatter(data, scanner, mu, request.scatterSettings, pool, progress.begin("scatter"));
        std::transform(data.add.begin(), data.add.end(), found.scatter.begin(), data.add.begin(),
                       std::plus<>());
        result.scatter = found.total;
        result.single = found.single;
        result.scale = found.scale;
    }
    return result;
}

PanelRandomsTally correct(PanelData& data, const std::string& source, const CorrectRequest& request,
                          WorkProgress& progress) {
    if (!request.norm.empty() || request.scatter) {
        throw WrongUse("{}: of two panels only randoms are corrected; leave --norm and --scatter out",
                       source);
    }
    progress.stage("randoms");
    const EventList delayeds = recognise(request.delayeds).readEvents({}).events;
    if (request.panelRandoms == PanelRandoms::Add) {
        data.add.clear();
    }
    return correctRandoms(data, delayeds, request.panelRandoms);
}

}  // namespace tof
