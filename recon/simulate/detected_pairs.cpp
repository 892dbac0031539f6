// SPDX-License-Identifier: Apache-2.0
#include <mutex>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/simulate/photon_lists.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr std::size_t kEventsPerChunk = 512;
constexpr std::uint32_t kMaxAttempts = 50'000'000;  ///< per event

void count(PhotonFate fate, SimulationReport& report) {
    switch (fate) {
        case PhotonFate::Attenuated: ++report.attenuated; break;
        case PhotonFate::Missed: ++report.missed; break;
        case PhotonFate::OutsideWindow: ++report.outsideWindow; break;
        case PhotonFate::Recorded: break;
    }
}

/// One attempt at an event; true when it gave one.
bool tryPair(const PairModel& model, double blur_ps, RandomStream& random, std::size_t index,
             EventList& events, SimulationReport& report) {
    const auto nucleus = model.emission().sample(random);
    if (!nucleus) {
        return false;
    }
    ++report.started;
    const Photon start = drawFirst(model.physics(), *nucleus, random);
    Photon photon1 = start;
    Photon photon2;
    Single one;
    Single two;
    PhotonFate fate = follow(model.physics(), photon1, random, one);
    if (fate == PhotonFate::Recorded) {
        photon2 = drawSecond(model.physics(), start, random);
        fate = follow(model.physics(), photon2, random, two);
    }
    if (fate != PhotonFate::Recorded) {
        count(fate, report);
        return false;
    }
    if (!model.accepts(one.crystal, two.crystal)) {
        ++report.beyond;
        return false;
    }
    const double dt = (one.path_mm - two.path_mm) / (2 * kMmPerPs) + blur_ps * random.normal();
    const std::uint32_t scatters = photon1.scatters + photon2.scatters;
    events.crystals[index] = {one.crystal, two.crystal};
    events.dt_ps[index] = static_cast<float>(dt);
    events.kind[index] = scatters > 0 ? EventKind::Scattered : EventKind::True;
    events.scatters[index] = static_cast<std::uint8_t>(scatters < 255 ? scatters : 255);
    events.energy_keV[index] = {static_cast<float>(one.energy_keV), static_cast<float>(two.energy_keV)};
    ++(scatters > 0 ? report.scattered : report.trues);
    return true;
}

}  // namespace

EventList simulatePairs(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
                        const SimulationSettings& settings, const ThreadPool& pool,
                        const std::function<void(std::uint64_t)>& progress, SimulationReport& report) {
    const PairModel model(scanner, phantom, physics);
    const double blur_ps = scanner.timing_fwhm_ps / kFwhmPerSigma;
    const auto n = static_cast<std::size_t>(settings.events);
    EventList events;
    events.crystals.resize(n);
    events.dt_ps.resize(n);
    events.kind.resize(n);
    events.scatters.resize(n);
    events.energy_keV.resize(n);
    std::uint64_t made = 0;
    std::mutex mutex;
    pool.forRange(n, kEventsPerChunk, [&](std::size_t begin, std::size_t end) {
        SimulationReport part;
        for (std::size_t index = begin; index < end; ++index) {
            RandomStream random(settings.seed, RandomUse::Photons, index);
            std::uint32_t attempt = 0;
            do {
                if (attempt == kMaxAttempts) {
                    throw WrongUse(
                        "scanner '{}' detected none of {} pairs of phantom '{}'; is the phantom in its field "
                        "of view?",
                        scanner.name, kMaxAttempts, phantom.name);
                }
                random.startAttempt(attempt++);
            } while (!tryPair(model, blur_ps, random, index, events, part));
        }
        const std::lock_guard lock(mutex);
        report.add(part);
        made += end - begin;
        if (progress) {
            progress(made);
        }
    });
    events.decays = static_cast<double>(report.started);
    return events;
}

}  // namespace tof
