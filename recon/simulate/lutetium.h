// SPDX-License-Identifier: Apache-2.0
// Decays of lutetium-176 in the crystals themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "recon/scanner/scanner.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/photon_lists.h"
#include "recon/simulate/random_stream.h"

namespace tof {

/// Decays of Lu-176 in a cm3 of the material in a second; 0 of what holds none. 2.599 % of natural lutetium,
/// with a half-life of 3.76e10 years, are Lu-176 (NuDat 3, nndc.bnl.gov): 294 of LSO (7.4 g/cm3).
[[nodiscard]] double lutetiumPerCm3(Material material);

/// What one slice of time has of the crystals' own decays: a beta (at most 593 keV), which stays where it is,
/// and photons of 307, 202 and 88 keV, each where no electron takes its energy (shares of NuDat 3), which are
/// followed through the crystals and through what is between them. Every block where one decay leaves energy
/// gets a photon, so a beta and a photon in two blocks look like a coincidence. Immutable; share between
/// threads. Refers to the model.
class LutetiumDecays {
  public:
    /// For slices of `length_ps`; the scanner's crystals hold lutetium.
    LutetiumDecays(const Scanner& scanner, const PairModel& model, std::uint64_t seed, double length_ps);

    /// In the whole scanner, 1/s.
    [[nodiscard]] double perSecond() const { return perSecond_; }
    /// Adds photons to those of slice `index`, a function of the seed and the index alone. Their kind is that
    /// of parts: no annihilation made them, so their coincidences count as random, those of one decay, too.
    void add(std::uint64_t index, std::vector<TimedPhoton>& photons) const;

    /// An energy of the beta's spectrum, keV, where `share` of all lie below.
    [[nodiscard]] double beta_keV(double share) const;

  private:
    /// What one decay leaves in crystals.
    [[nodiscard]] CrystalDeposits decay(RandomStream& random) const;
    /// A photon of the cascade from where it was made to its end.
    void follow(Photon photon, RandomStream& random, CrystalDeposits& deposits) const;

    const PairModel& model_;
    std::uint64_t seed_;
    double length_ps_;
    double sigma_ps_;  ///< time resolution of one photon
    double perSecond_ = 0;
    std::vector<double> betaUpTo_;  ///< share of betas below each keV
};

}  // namespace tof
