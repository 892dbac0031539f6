// SPDX-License-Identifier: Apache-2.0
// Nuclides of PET: how fast they decay, and how many positrons a decay gives.
#pragma once

#include <span>
#include <string>

namespace tof {

struct Nuclide {
    const char* name;
    double halfLife_s;
    double branching;  ///< positrons per decay
};

/// Those that lists offer. Half lives are the National Nuclear Data Center's (nndc.bnl.gov; gallium-68 of the
/// Decay Data Evaluation Project) to 0.1 %. Positrons per decay are of Conti and Eriksson, EJNMMI Phys. 3
/// (2016) 8, doi:10.1186/s40658-016-0144-5; of Cu-64 and Zr-89 of table 3 of J. Nucl. Med. 63 (2022) 649,
/// doi:10.2967/jnumed.121.263506.
[[nodiscard]] std::span<const Nuclide> petNuclides();
/// Throws InternalError where there is none of this name.
[[nodiscard]] const Nuclide& petNuclide(const std::string& name);
/// The one whose half life this is to 1 %; null where none has it.
[[nodiscard]] const Nuclide* nuclideOfHalfLife(double halfLife_s);
/// The one that a code of DICOM's context group 4020 (SRT) or a text names: "C-111A1", "^18^Fluorine",
/// "F-18", "FDG F18", "18F"; null for any other.
[[nodiscard]] const Nuclide* nuclideIn(const std::string& text);
/// Positrons per decay of that nuclide; 1 where none has the half life.
[[nodiscard]] double positronsPerDecay(double halfLife_s);

/// Activity at the start of a scan over its mean during the scan: x/(1 - exp(-x)), where x is ln 2 times the
/// half lives that the scan takes.
[[nodiscard]] double startOverMean(double duration_s, double halfLife_s);

}  // namespace tof
