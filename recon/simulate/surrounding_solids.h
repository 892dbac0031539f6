// SPDX-License-Identifier: Apache-2.0
// What a scanner has around the phantom, as photons meet it.
#pragma once

#include <vector>

#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/phantom_medium.h"
#include "recon/simulate/physics.h"

namespace tof {

/// Covers and shields of the scanner, those that the physics has.
[[nodiscard]] std::vector<MediumTube> tubesAround(const Scanner& scanner, const Physics& physics);

/// The phantom on the scanner's bed, which touches the lowest point of what attenuates. The bed is one of its
/// shapes, the first one, and stands in its description: so data know of it as a CT would. Phantoms of
/// voxels, and those that nothing attenuates in, stay as they are.
[[nodiscard]] Phantom onBed(const Phantom& phantom, const Scanner& scanner, const Physics& physics);

}  // namespace tof
