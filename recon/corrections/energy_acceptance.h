// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// How likely a photon of less than 511 keV is recorded once it has interacted in a crystal, over the same of
/// 511 keV: what a scanner's energy resolution and window leave of scattered photons. Immutable.
class EnergyAcceptance {
  public:
    /// Follows 16,384 photons of each of some energies through the crystals, as simulate() does. Throws
    /// WrongUse where the scanner has no `detection`.
    explicit EnergyAcceptance(const Scanner& scanner, const ThreadPool& pool = ThreadPool(1));

    /// Below this, nothing is recorded, keV.
    [[nodiscard]] double least_keV() const { return least_; }
    [[nodiscard]] double at(double energy_keV) const;
    /// Plain values for inner loops: from least_keV() on, `step_keV` apart.
    [[nodiscard]] const std::vector<double>& values() const { return values_; }
    [[nodiscard]] double step_keV() const { return step_; }

  private:
    double least_ = 0;
    double step_ = 1;
    std::vector<double> values_;
};

}  // namespace tof
