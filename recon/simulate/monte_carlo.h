// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"

namespace tof {

struct SimulationSettings {
    std::uint64_t events = 0;  ///< detected coincidences to make, 1 .. 2^32
    std::uint64_t seed = 1;
    double duration_s = 0;      ///< 0: the time in which `activity_MBq` makes the decays that it took
    double activity_MBq = 100;  ///< of the whole phantom, > 0; not looked at where the duration is given
};

/// What happened to the photon pairs that were started: started = attenuated + missed + events made.
struct SimulationReport {
    std::uint64_t started = 0;
    std::uint64_t attenuated = 0;  ///< lost in the phantom
    std::uint64_t missed = 0;      ///< a photon met no crystal or crossed it without interacting, or the
                                   ///< crystals' line is tilted beyond the acceptance
    double sphereShare = 1;        ///< share of the sphere that directions were drawn from

    /// Emissions into the whole sphere that as many detected events stand for.
    [[nodiscard]] double decays() const { return static_cast<double>(started) / sphereShare; }
};

/// Monte Carlo list-mode: each event is a function of (seed, index) alone, so the same events come out
/// whatever the number of threads. `progress` (may be empty) is called with the events made so far, from one
/// thread at a time, not always the caller's, and may throw Cancelled. The list says how many decays it
/// stands for, the share of directions they were drawn from and the duration; singlesPerDecay() (singles.h)
/// says its singles. Throws WrongUse when settings, scanner and phantom cannot give events: the sentence says
/// why.
[[nodiscard]] EventList simulate(const Scanner& scanner, const Phantom& phantom,
                                 const SimulationSettings& settings, const ThreadPool& pool,
                                 const std::function<void(std::uint64_t)>& progress,
                                 SimulationReport* report = nullptr);

}  // namespace tof
