// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <utility>

#include "recon/scanner/scanner.h"

namespace tof {

/// Which parts of the physics a simulation has. A scanner without `detection` has none of them.
struct Physics {
    bool range = true;          ///< positrons annihilate away from their nucleus
    bool acollinearity = true;  ///< photons are not quite opposite
    bool scatter = true;        ///< Compton scattering in the phantom; else what interacts there is lost
    // These go with `scatter` alone, and with what the scanner says of them.
    bool covers = true;    ///< tubes between the patient and the crystals
    bool shields = true;   ///< tubes beyond the ends
    bool bed = true;       ///< under phantoms of solids
    bool crystals = true;  ///< Compton scattering in crystals; else the first interaction takes all
    bool energy = true;    ///< resolution and window; else every interaction is a single
    bool position = true;  ///< centroid, blur; else the crystal of the first interaction
    bool randoms = true;   ///< singles in time, their coincidences by chance
    // These go with `randoms` alone, and with what the scanner says of them.
    bool deadTime = true;   ///< blocks are dead after a photon
    bool pileUp = true;     ///< photons add up within a block's integration time
    bool multiples = true;  ///< the scanner's policy; else all pairs of a window are coincidences
    bool bandwidth = true;  ///< a limit of coincidences per second
    bool lutetium = false;  ///< decays of the crystals' own Lu-176, which `all` leaves out: they matter at
                            ///< low activities alone, and the host has to follow them
    std::string isotope = "F-18";

    [[nodiscard]] bool operator==(const Physics&) const = default;

    /// Its switches by their names.
    using Switch = std::pair<const char*, bool Physics::*>;
    static constexpr std::size_t kSwitches = 15;
    [[nodiscard]] static const std::array<Switch, kSwitches>& switches();
    [[nodiscard]] static Physics none();
    /// Without randoms and what goes with them alone.
    void leaveOutRates() { randoms = deadTime = pileUp = multiples = bandwidth = lutetium = false; }
    /// `all`, `none`, names of what to have (`all` and `lutetium`, too), or no-NAME of what to leave out,
    /// with commas. Throws WrongUse.
    [[nodiscard]] static Physics fromText(const std::string& text);
    [[nodiscard]] std::string toText() const;
    /// All that a scanner's description allows: everything, without `detection` nothing, without a
    /// coincidence window no randoms.
    [[nodiscard]] static Physics of(const Scanner& scanner);
};

}  // namespace tof
