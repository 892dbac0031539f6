// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/data/line_data.h"
#include "recon/scanner/michelogram.h"

namespace tof {

class InterfileHeader;

/// True for the header of a component-based normalisation of Siemens ECAT8 (`.n.hdr` with `.n`).
[[nodiscard]] bool isEcat8Norm(const InterfileHeader& header);

/// True for a file that is one; throws BadInput where it is no header.
[[nodiscard]] bool holdsEcat8Norm(const std::string& path);

/// Adds what the header tells.
void describeEcat8Norm(const InterfileHeader& header, nlohmann::ordered_json& info);

struct Ecat8Efficiencies {
    std::vector<float> values;  ///< by bin of the michelogram, the same in all of its time bins
    std::string note;           ///< what is not applied
};

/// Efficiency of every bin: the sum over its crystal pairs of both crystals' efficiencies x geometric effects
/// [ring 1 + ring 2][radial bin] x crystal interference [radial bin][azimuth modulo crystals of a block] x
/// axial effects [plane], as STIR's BinNormalisationFromECAT8 has it. `dataHeader` is the header whose
/// position of the patient `m` was turned by. Where there are `singles` (Ecat8Result::blockSingles), every
/// crystal of an mMR is as live as Casey's model has it: exp(s p / (1 + s n)) / (1 + s n), s photons a second
/// in half of its block of singles, p and n the parameters of its ring (NiftyPET's norm.cu). Throws
/// BadInput for components that are missing, of another size, not finite or below zero, and for bins that are
/// not those of the normalisation's scanner.
[[nodiscard]] Ecat8Efficiencies ecat8Efficiencies(const std::string& normPath, const std::string& dataHeader,
                                                  const Michelogram& m,
                                                  const std::vector<double>& singles = {});

/// mult of data that `dataHeader` describes takes those efficiencies. Returns a note. Throws BadInput.
[[nodiscard]] std::string multiplyEcat8(SinogramData& data, const std::string& normPath,
                                        const std::string& dataHeader, const std::vector<double>& singles);

/// What dead time left of the counts in each of `frames`, which are the singles of blocks then, over what it
/// left at the singles `mean`: averages of both crystals' shares over the crystal pairs of all counts of
/// `data`. Empty where dead time is not corrected.
[[nodiscard]] std::vector<double> ecat8LiveOfFrames(const SinogramData& data, const std::string& normPath,
                                                    const std::string& dataHeader,
                                                    const std::vector<double>& mean,
                                                    const std::vector<std::vector<double>>& frames);

/// The singles that a header of sinograms tells (`%bucket singles rate [i]`); empty where it tells none.
[[nodiscard]] std::vector<double> ecat8Singles(const std::string& dataHeader);

}  // namespace tof
