// SPDX-License-Identifier: Apache-2.0
// Standardised uptake values: concentrations over the dose per gram, or per square centimetre, of the body.
#pragma once

#include <string>

#include "recon/base/lattice.h"
#include "recon/physics/nuclide.h"

namespace tof {

/// What the dose is shared out over: the body's weight (SUVbw), its lean mass after Janmahasatian and others,
/// Clin. Pharmacokinet. 44 (2005) 1051 (SUVlbm), or its surface after Du Bois and Du Bois, Arch. Intern. Med.
/// 17 (1916) 863 (SUVbsa).
enum class SuvBody { Weight, LeanMass, Surface };
enum class Sex { Unknown, Female, Male };

/// What turns activity concentrations into standardised uptake values.
struct Uptake {
    double weight_kg = 0;
    double dose_Bq = 0;          ///< activity at the injection
    double halfLife_s = 6586.2;  ///< fluorine-18
    /// The time from the injection to the one that the values are decay-corrected to, the start of the scan
    /// as a rule; 0: they are corrected to the injection; below 0: to a start before it (dynamic scans).
    double waited_s = 0;
    double branching = 0.969;  ///< positrons per decay; fluorine-18
    SuvBody body = SuvBody::Weight;
    double height_m = 0;     ///< for lean mass and surface
    Sex sex = Sex::Unknown;  ///< for lean mass
    [[nodiscard]] bool operator==(const Uptake&) const = default;
};

/// What an option calls them: "weight", "lean-mass", "surface"; throws WrongUse for another name.
[[nodiscard]] SuvBody suvBodyFromName(const std::string& name);
/// "g/ml", by surface "cm2/ml".
[[nodiscard]] const char* suvUnits(SuvBody body);

/// Why these make no SUV ("the weight must be between 0.001 and 1000 kg"); empty when they do.
[[nodiscard]] std::string uptakeFault(const Uptake& uptake);
/// SUV for one Bq/ml: weight or lean mass in g, or surface in cm2, over the dose that is left at the time of
/// the values.
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
