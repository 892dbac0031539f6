// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/scanner/detector.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Share of the photons interacting in a scanner's crystals that are recorded: those whose block has an
/// energy in the window. Of 32,768 photons of 511 keV from the middle of the scanner, evenly over its
/// acceptance; standard error 0.3 % of a photon's share. 1 for scanners without `detection`.
[[nodiscard]] double recordedShare(const Scanner& scanner, const Detector& detector);

}  // namespace tof
