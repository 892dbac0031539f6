// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/simulation.h"
#include "recon/simulate/slices.h"

namespace tof {

/// Monte Carlo list-mode: each event is a function of (seed, index) alone, so the same events come out
/// whatever the number of threads. `progress` (may be empty) is called with the events made so far, from one
/// thread at a time, not always the caller's, and may throw Cancelled. The list says how many decays it
/// stands for, the share of directions they were drawn from and the duration; singlesPerDecay() (singles.h)
/// says its singles. Throws WrongUse when settings, scanner and phantom cannot give events: the sentence says
/// why.
///
/// Pairs have the physics that the settings ask for where the scanner has `detection` (docs/simulation.md);
/// with randoms decays are drawn in time at the settings' activity, and `delayed`, where given, gets the
/// coincidences of the delayed window in the same time.
[[nodiscard]] EventList simulate(const Scanner& scanner, const Phantom& phantom,
                                 const SimulationSettings& settings, const ThreadPool& pool,
                                 const std::function<void(std::uint64_t)>& progress,
                                 SimulationReport* report = nullptr, EventList* delayed = nullptr);
/// Whether a scan has randoms, for which decays are drawn in time.
[[nodiscard]] bool isInTime(const Scanner& scanner, const SimulationSettings& settings);
/// Simulates with hooks: slices of time from elsewhere, events taken as they come. Scans without randoms are
/// made whole before they are taken. Throws WrongUse where slices are given and nothing is made of them.
[[nodiscard]] EventList simulateWith(const Scanner& scanner, const Phantom& phantom,
                                     const SimulationSettings& settings, const ThreadPool& pool,
                                     const SimulationHooks& hooks, SimulationReport* report = nullptr);

}  // namespace tof
