// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/crystal_response.h"
#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// What pairs of a scanner's crystals record: PairFactors with the share of the interacting photons that is
/// recorded, times the crystals' `efficiencies`. Throws WrongUse where there are not as many as crystals;
/// none: 1.
[[nodiscard]] PairFactors recordedFactors(const Scanner& scanner, const ThreadPool& pool,
                                          const std::vector<float>& efficiencies = {});

/// What the bins of a michelogram expect of a scanner's crystals.
struct BinFactors {
    std::vector<float> factors;  ///< [slot][sinogram][radial], mm2: sum of PairFactors over the bin's pairs
    double pairs = 0;            ///< that a bin holds and the scanner accepts
};

/// Crystals are taken to the michelogram's rings by ringCrystals(). Throws BadInput as that does, and as
/// recordedFactors().
[[nodiscard]] BinFactors factorsOfBins(const Michelogram& michelogram, const Scanner& scanner,
                                       const ThreadPool& pool, const std::vector<float>& efficiencies = {});

/// A value of a pair of the scanner's crystals.
using PairValue = std::function<double(std::uint32_t one, std::uint32_t two)>;

/// Any value, added up over the crystal pairs of every [slot][sinogram][radial]; `counted`, where given, gets
/// the number of pairs with a value > 0. Throws as factorsOfBins().
[[nodiscard]] std::vector<float> addedUpOverBins(const Michelogram& michelogram, const Scanner& scanner,
                                                 const ThreadPool& pool, const PairValue& valueOf,
                                                 double* counted = nullptr);

}  // namespace tof
