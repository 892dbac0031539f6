// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/detector.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Share of the photons interacting in a scanner's crystals that are recorded: those whose block has an
/// energy in the window. Of 32,768 photons of 511 keV from the middle of the scanner, evenly over its
/// acceptance; standard error 0.3 % of a photon's share. 1 for scanners without `detection`.
[[nodiscard]] double recordedShare(const Scanner& scanner, const Detector& detector);

/// Shares by crystal: how many of the photons that interact first in crystals are recorded, and there. At
/// the ends of modules energy escapes, and what is recorded is found farther in.
struct RecordedShares {
    double mean = 1;
    std::vector<double> columns;    ///< by the place across a module, over the mean; empty: all alike
    std::vector<double> rows;       ///< by the place along it, over the mean; empty: all alike
    std::vector<double> ofCrystal;  ///< mean times both; empty: the scanner has no `detection`
};

/// Follows two million photons of 511 keV from within half of the field of view's radius and all of the
/// crystals' height, over the scanner's acceptance; mirrored places are taken together where a module's
/// blocks are whole. Where modules differ in their numbers of crystals all are alike. Standard error 0.6 % by
/// row and 0.3 % by column of `labr3`. The same for any number of threads. What was counted is kept in the
/// user's cache (storedShareCounts).
[[nodiscard]] RecordedShares recordedShares(const Scanner& scanner, const Detector& detector,
                                            const ThreadPool& pool);

}  // namespace tof
