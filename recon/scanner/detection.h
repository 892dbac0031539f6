// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/physics/materials.h"

namespace tof {

/// How a scanner turns what photons leave in its crystals into singles and coincidences. Plain data.
struct Detection {
    /// Where a single is said to have been.
    enum class Position : std::uint8_t {
        First,    ///< the crystal of the first interaction: nobody can measure it
        Largest,  ///< the crystal that got most
        Centroid  ///< mean of the crystals by what they got: Anger's logic
    };

    Material material = Material::LaBr3;
    double resolution = 0;  ///< FWHM at 511 keV over 511 keV; sigma grows as the square root of the energy
    std::array<double, 2> window_keV{0, 1000};
    double efficiency =
        1;  ///< share of the photons in the window that are recorded: covers, light, electronics
    /// Crystals, transaxial and axial, whose energies are added: {0, 0} is the whole module.
    std::array<int, 2> block{0, 0};
    Position position = Position::First;
    double positionFwhm_mm = 0;  ///< Gaussian along each direction of the face, on top of `position`
    double coincidence_ns = 0;   ///< largest |t1 - t2| of a coincidence; 0: randoms cannot be made
    double delay_ns = 500;       ///< by which one side is late in the delayed window
    double deadTime_ns = 0;      ///< dead time of a block after each photon that interacts in it
    /// What a photon that comes within the dead time does.
    enum class DeadTime : std::uint8_t {
        NonParalysable,  ///< nothing
        Paralysable      ///< it makes the block dead anew
    };
    DeadTime deadTimeKind = DeadTime::NonParalysable;
    /// Least measured energy that makes a block busy, in every block where a photon leaves that much; 0: any
    /// energy of a photon that may reach the window, in the block where it leaves most.
    double trigger_keV = 0;
    /// Photons that come to a block within this time after one that it takes add their energy to it and move
    /// its place, and are lost themselves; 0: no pile-up.
    double integration_ns = 0;
    /// What becomes of more than one pair within a coincidence window.
    enum class Multiples : std::uint8_t {
        All,     ///< every pair is a coincidence, and every single opens a window
        None,    ///< none is; singles within a window open none
        Highest  ///< the one with the most energy is; singles within a window open none
    };
    Multiples multiples = Multiples::All;
    /// Most coincidences, prompt and delayed, that the system takes in a second: for the inverse of it after
    /// each, others are lost. 0: no limit.
    double bandwidth_Mcps = 0;
    /// Coincidence time resolution by singles per second in the whole scanner: {rate, FWHM in ps}, rates
    /// ascending, straight between them; empty: the scanner's `timing_fwhm_ps` at any rate.
    std::vector<std::array<double, 2>> timingByRate;

    [[nodiscard]] bool operator==(const Detection&) const = default;
    /// Reads the object of resources/scanners' schema; `source` names it in messages. Throws BadInput.
    [[nodiscard]] static Detection fromJson(const nlohmann::json& value, const std::string& source);
    [[nodiscard]] nlohmann::json toJson() const;
    /// Share of the time that a block is alive which photons take time of at this rate: those that found it
    /// alive, of a paralysable one all. Not below 0.
    [[nodiscard]] double aliveShare(double busyPerSecond) const;
    /// FWHM in ps at a rate of singles; `otherwise` where the rate does not matter.
    [[nodiscard]] double timing_ps(double singlesPerSecond, double otherwise) const;
};

}  // namespace tof
