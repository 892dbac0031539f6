// SPDX-License-Identifier: Apache-2.0
// Scans with randoms of what moves or has a course in time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/simulation.h"
#include "recon/simulate/slices.h"

namespace tof {

/// Time, whole or in pieces, in which a phantom stands still and emits at one rate.
struct Stretch {
    Phantom phantom;
    double length_s = 0;
    double activity = 0;  ///< beside those of the other stretches
    /// When in the scan a share (0 .. 1) of the stretch's decays has happened, s.
    std::function<double(double share)> when_s{};
};

/// Simulates every stretch in time (simulateInTime()) for as long as it lasts. Activity is what records about
/// as many events as the settings ask for, which trials of sixteen places of the scan find: the settings'
/// activity is not looked at, and the number of events is what chance makes of it. The list is in the order
/// of time and has decays and singles; hooks get delayeds and singles, whose counts are those of the whole
/// scan. Of other hooks: progress, slices and ranks, of which the first gets the list. Throws WrongUse where
/// no activity records as many events in so short a time; its sentence begins with `what`.
[[nodiscard]] EventList simulateStretches(const std::string& what, const Scanner& scanner,
                                          const std::vector<Stretch>& stretches,
                                          const SimulationSettings& settings, const ThreadPool& pool,
                                          const SimulationHooks& hooks, SimulationReport& report);

}  // namespace tof
