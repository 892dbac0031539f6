// SPDX-License-Identifier: Apache-2.0
// How far from their lines a scanner that says how it detects puts events.
#pragma once

#include "recon/binning/line_response.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// From pairs that fly through the scanner and its crystals, each on a line of a known distance from the
/// axis: places of events as they are deposited against where the pair was emitted. A narrow and a wide
/// Gaussian, by the likelihood; one share of the wide one and one ratio of both for all distances. Some 5,000
/// pairs a distance: widths are right to 2 %. The same every time. Throws WrongUse where nothing is recorded.
[[nodiscard]] LineResponse responseOfCrystals(const Scanner& scanner);

}  // namespace tof
