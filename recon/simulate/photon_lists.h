// SPDX-License-Identifier: Apache-2.0
// Lists of scanners that say how they detect: pair by pair, or decay by decay in time. simulate() calls them.
#pragma once

#include <cstdint>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/simulation.h"
#include "recon/simulate/slices.h"

namespace tof {

/// Events without randoms: pairs are started until one is detected, so event i is a function of (seed, i)
/// alone. Crystals, times, kinds, scatters, energies and decays are filled. Without scatter in the phantom
/// directions are drawn only where both photons can meet crystals, and most of what is lost in the phantom is
/// known before (EarlyLoss): pairs are attenuated along the line through the nucleus then; range and
/// acollinearity change where they arrive.
[[nodiscard]] EventList simulatePairs(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
                                      const SimulationSettings& settings, const ThreadPool& pool,
                                      const SimulationHooks& hooks, SimulationReport& report);

/// Events with randoms: decays in slices of time at the settings' activity, the singles of both photons, and
/// all pairs of singles that the scanner takes for coincidences. Slice k is a function of (seed, k) alone;
/// the list ends with the last event asked for, or after the settings' longest time.
[[nodiscard]] EventList simulateInTime(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
                                       const SimulationSettings& settings, const ThreadPool& pool,
                                       const SimulationHooks& hooks, SimulationReport& report);

/// A photon that made a block busy: a single, or one outside the energy window.
struct TimedPhoton {
    double time_ps = 0;  ///< within the slice
    std::uint32_t group = 0;
    std::uint32_t crystal = 0;
    std::uint32_t decay = 0;  ///< in the slice
    float energy_keV = 0;
    std::uint8_t photon = 0;  ///< 0 or 1, of the decay
    std::uint8_t scatters = 0;
    bool inWindow = false;     ///< a single, where it is not dead
    bool dead = false;         ///< its block took no notice, or added it to another photon
    bool part = false;         ///< the photon left more in another block
    bool unrecorded = false;   ///< lost for other reasons than its energy
    bool wasInWindow = false;  ///< before others piled up on it
};

/// Whether two photons are a true or scattered pair.
[[nodiscard]] inline bool ofOneDecay(const TimedPhoton& one, const TimedPhoton& two) {
    return one.decay == two.decay && !one.part && !two.part;
}

/// One coincidence: indices of two photons, the earlier one first.
struct PhotonCoincidence {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    double dt_ps = 0;  ///< time of the first less that of the second, on the circle
};

/// Marks photons that come less than `deadTime_ps` after one in the same group that was not dead itself (the
/// non-paralysable model); `photons` ascend in time. `last` holds a number per group.
void markDead(std::vector<TimedPhoton>& photons, double deadTime_ps, std::vector<double>& last);

/// All pairs of live singles in the energy window of which the second comes `delay_ps` to delay_ps +
/// window_ps after the first; times lie on a circle of `length_ps`. So two photons that are nothing to each
/// other make as many pairs with a delay as without. `photons` ascend in time.
void findCoincidences(const std::vector<TimedPhoton>& photons, double length_ps, double window_ps,
                      double delay_ps, std::vector<PhotonCoincidence>& found);

}  // namespace tof
