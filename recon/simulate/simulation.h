// SPDX-License-Identifier: Apache-2.0
// What is asked of a simulation and what became of its pairs.
#pragma once

#include <cstdint>
#include <optional>

#include "recon/simulate/physics.h"

namespace tof {

struct SimulationSettings {
    std::uint64_t events = 0;  ///< detected coincidences to make, 1 .. 2^32
    std::uint64_t seed = 1;
    double duration_s = 0;  ///< 0: the time in which `activity_MBq` makes the decays that it took
    /// Activity of the whole phantom, > 0; not looked at where the duration is given, unless it makes
    /// randoms. It is the isotope's where the scanner has `detection`, else that of positrons.
    double activity_MBq = 100;
    std::optional<Physics> physics{};  ///< nothing: Physics::of() the scanner
    /// With randoms: the scan ends then, with what events it has until then; 0: with the last event.
    double longest_s = 0;
};

/// What happened to the photon pairs that were started. A pair is lost where its first photon is, else where
/// its second is: started = attenuated + missed + outsideWindow + dead + piledUp + late + beyond + multiple +
/// throttled + surplus + trues + scattered. The events are trues + scattered + randoms.
struct SimulationReport {
    std::uint64_t started = 0;
    std::uint64_t attenuated = 0;  ///< absorbed in the phantom, or scattered there to no use
    std::uint64_t missed = 0;  ///< a photon met no crystal or crossed it without interacting, or did not fly
                               ///< towards crystals and no scatter of use could turn it there; of scanners
                               ///< without `detection` those beyond the acceptance, too
    std::uint64_t outsideWindow = 0;  ///< its energy
    std::uint64_t dead = 0;           ///< came while its block was dead
    std::uint64_t piledUp = 0;    ///< both recorded, but later photons carried one out of the energy window
    std::uint64_t multiple = 0;   ///< dropped because other pairs shared its coincidence window
    std::uint64_t throttled = 0;  ///< beyond what the system takes in a second
    std::uint64_t late = 0;       ///< both recorded, farther apart in time than a coincidence may be
    std::uint64_t beyond = 0;     ///< both recorded, on a line beyond acceptance or field of view
    std::uint64_t surplus = 0;    ///< events of the last slice of time that follow the last one asked for
    std::uint64_t trues = 0;
    std::uint64_t scattered = 0;
    std::uint64_t randoms = 0;   ///< coincidences of two decays
    std::uint64_t delayeds = 0;  ///< coincidences with one side delayed, in as much time
    std::uint64_t singles = 0;   ///< photons recorded, in coincidence or not, in all slices of time
    double sphereShare = 1;      ///< share of the sphere that directions were drawn from

    [[nodiscard]] std::uint64_t accounted() const {
        return attenuated + missed + outsideWindow + dead + piledUp + late + beyond + multiple + throttled +
               surplus + trues + scattered;
    }
    void add(const SimulationReport& part);

    /// Emissions into the whole sphere that as many detected events stand for.
    [[nodiscard]] double decays() const { return static_cast<double>(started) / sphereShare; }
};

}  // namespace tof
