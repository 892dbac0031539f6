// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "recon/data/line_data.h"

namespace tof {

class InterfileHeader;

/// Sinograms of a file. Data corrected beforehand may have bins below zero, which no Poisson model can use:
/// they become zero and are told here.
struct InterfileSinograms {
    SinogramData data;
    std::size_t negativeBins = 0;
    double negativeSum = 0;  ///< of the bins that became zero, <= 0
};

/// Reads Interfile projection data as STIR writes them (.hs with .s beside it): cylindrical scanners, any
/// segments, either order of views and planes, mashing, arc-corrected or not, time of flight. STIR counts
/// time bins towards the first crystal; here they are turned round. The lattice is defaultLattice()'s; mult
/// is the number of crystal pairs of a bin where no correction was applied, else empty. Throws BadInput
/// naming key and remedy.
[[nodiscard]] InterfileSinograms readInterfileSinograms(const std::string& path);

/// Writes counts as float sinograms in STIR's form: segments in the michelogram's order, per segment plane,
/// view, bin. `path` ends in .hs; the data go to .s beside it. Throws CannotWrite.
void writeInterfileSinograms(const std::string& path, const SinogramData& data);

/// True for the header of projection data.
[[nodiscard]] bool hasSinograms(const InterfileHeader& header);

}  // namespace tof
