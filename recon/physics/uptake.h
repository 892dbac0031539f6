// SPDX-License-Identifier: Apache-2.0
// Standardised uptake values by body weight: concentrations over the dose per gram of the body.
#pragma once

#include <string>

#include "recon/base/lattice.h"
#include "recon/physics/nuclide.h"

namespace tof {

/// What turns activity concentrations into standardised uptake values.
struct Uptake {
    double weight_kg = 0;
    double dose_Bq = 0;          ///< activity at the injection
    double halfLife_s = 6586.2;  ///< fluorine-18
    /// The time from the injection to the one that the values are decay-corrected to, the start of the scan
    /// as a rule; 0: they are corrected to the injection.
    double waited_s = 0;
    double branching = 0.969;  ///< positrons per decay; fluorine-18
    [[nodiscard]] bool operator==(const Uptake&) const = default;
};

/// Why these make no SUV ("the weight must be between 0.001 and 1000 kg"); empty when they do.
[[nodiscard]] std::string uptakeFault(const Uptake& uptake);
/// SUV (g/ml) for one Bq/ml: weight in g over the dose that is left at the time of the values.
[[nodiscard]] double suvPerBqMl(const Uptake& uptake);
/// Bq/ml at the start of the scan for a stored value of 1, where that is known, else 0. Values in Bq/ml and
/// kBq/ml are taken to be that. Values in emissions/voxel are annihilations during the scan: over its
/// duration, the voxel's volume and the positrons per decay, and from the mean of the scan to its start by
/// the half life of `nuclide`; its weight and dose do not matter.
[[nodiscard]] double bqMlPerStored(const std::string& units, const Lattice& lattice, double duration_s,
                                   const Uptake& nuclide);
/// SUV for a stored value of 1, where bqMlPerStored is known, else 0.
[[nodiscard]] double suvPerStored(const std::string& units, const Lattice& lattice, double duration_s,
                                  const Uptake& uptake);

}  // namespace tof
