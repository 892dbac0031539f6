// SPDX-License-Identifier: Apache-2.0
#include "recon/work/simulate.h"

#include <algorithm>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/io/format_table.h"
#include "recon/simulate/singles.h"
#include "recon/work/sinogram_simulation.h"

namespace tof {

Lattice usualRingLattice() {
    return Lattice::centred({128, 128, 47}, {5.46875, 5.46875, 3.27});
}

SimulatedScan simulateScan(const SimulateRequest& request, const ThreadPool& pool, WorkProgress& progress) {
    const SimulationSettings& settings = request.settings;
    if (MichelogramSpec::describes(request.scanner)) {
        SinogramSimulation what{MichelogramSpec::find(request.scanner), request.lattice,
                                static_cast<double>(settings.events), settings.seed, request.attenuate};
        what.blur_mm = request.blur_mm;
        what.noiseFree = request.noiseFree;
        return {simulateSinograms(what, Phantom::find(request.phantom, readVolume), pool,
                                  progress.begin("project")),
                {}};
    }
    const Scanner scanner = Scanner::find(request.scanner);
    const Phantom phantom = Phantom::find(request.phantom, readVolume);
    SimulatedScan scan;
    progress.stage("simulate");
    SimulationHooks hooks;
    hooks.progress = [&](std::uint64_t made) {
        progress.report(static_cast<double>(made) / static_cast<double>(settings.events));
    };
    hooks.slices = request.slices;
    hooks.delayed = request.delayeds ? &scan.delayeds.emplace() : nullptr;
    hooks.singles = request.singles ? &scan.singles.emplace() : nullptr;
    if (request.take) {
        hooks.take = [&](EventList& part) { request.take(part, scanner); };
    }
    EventList events = simulateWith(scanner, phantom, settings, pool, hooks, &scan.report);
    if (!scanner.detection) {
        progress.stage("singles");
        events.singles = events.decays * singlesPerDecay(scanner, phantom, settings.seed, pool);
    }
    scan.data = std::move(events);
    return scan;
}

HistoData simulateAnalytic(const std::string& scanner, const std::string& phantom,
                           const AnalyticSettings& settings, const ThreadPool& pool, WorkProgress& progress) {
    if (MichelogramSpec::describes(scanner)) {
        throw WrongUse(
            "'{}' is a ring scanner, whose sinograms are made from chords anyway; leave --analytic out",
            scanner);
    }
    const Phantom object = Phantom::find(phantom, readVolume);
    progress.stage("attenuation");
    const Volume mu = object.wholeAttenuation(settings.lattice, kAttenuationSpacing_mm);
    const bool air = std::all_of(mu.data.begin(), mu.data.end(), [](float value) { return value == 0; });
    return analyticData(Scanner::find(scanner), object, settings, air ? nullptr : &mu, pool,
                        progress.begin("chords"));
}

}  // namespace tof
