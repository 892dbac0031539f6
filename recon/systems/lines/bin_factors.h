// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// What the bins of a michelogram expect of a scanner's crystals.
struct BinFactors {
    std::vector<float> factors;  ///< [slot][sinogram][radial], mm2: sum of PairFactors over the bin's pairs
    double pairs = 0;            ///< that a bin holds and the scanner accepts
};

/// Crystals are taken to the michelogram's rings by ringCrystals(). Throws BadInput as that does.
[[nodiscard]] BinFactors factorsOfBins(const Michelogram& michelogram, const Scanner& scanner,
                                       const ThreadPool& pool);

}  // namespace tof
