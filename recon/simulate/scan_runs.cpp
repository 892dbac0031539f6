// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/scan_runs.h"

#include <algorithm>
#include <bit>

#include "recon/base/error.h"
#include "recon/ranks/communicator.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/random_stream.h"

namespace tof {

ScanRuns::ScanRuns(const std::string& what, const Scanner& scanner, const SimulationSettings& settings,
                   const ThreadPool& pool, const SimulationHooks& hooks)
    : scanner_(scanner), settings_(settings), pool_(pool), hooks_(hooks) {
    if (hooks.delayed != nullptr || hooks.singles != nullptr) {
        throw WrongUse(
            "{} has delayeds and singles only with randoms; take no-randoms out of --physics, and a scanner "
            "that has 'detection', or leave --delayeds and --singles out",
            what);
    }
}

EventList ScanRuns::make(const Phantom& phantom, std::uint64_t events, double duration_s) {
    SimulationSettings own = settings_;
    own.events = events;
    own.seed = seed();
    own.duration_s = duration_s;
    SimulationHooks told;
    told.slices = hooks_.slices;
    told.ranks = hooks_.ranks;
    told.progress = [this](std::uint64_t made) {
        if (hooks_.progress) {
            hooks_.progress(std::min(settings_.events, made_ + made));
        }
    };
    SimulationReport report;
    EventList list = simulateWith(scanner_, phantom, own, pool_, told, &report);
    made_ += events;
    total_.add(report);
    total_.sphereShare = report.sphereShare;
    list.decays =
        std::bit_cast<double>(hooks_.ranks->numbersOfAll(std::bit_cast<std::uint64_t>(list.decays)).front());
    return list;
}

std::uint64_t ScanRuns::seed() {
    RandomStream words(settings_.seed, RandomUse::Steps, runs_++);
    const std::uint64_t high = words.word();
    return (high << 32U) | words.word();
}

void finishScan(const Scanner& scanner, const SimulationSettings& settings, const std::string& phantom,
                double duration_s, const SimulationReport& total, const SimulationHooks& hooks,
                EventList& list) {
    for (EventList* const each : {&list, hooks.delayed}) {
        if (each != nullptr) {
            each->scannerJson = scanner.toJson();
            each->phantom = phantom;
            each->seed = settings.seed;
            each->decays = list.decays;
            each->duration_s = duration_s;
        }
    }
    list.sphereShare = total.sphereShare;
    if (hooks.take && hooks.ranks->first()) {
        hooks.take(list);
    }
}

}  // namespace tof
