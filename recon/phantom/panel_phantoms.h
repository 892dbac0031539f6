// SPDX-License-Identifier: Apache-2.0
// Voxel phantoms, computed when they are asked for; most are for scanners of small animals.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "recon/phantom/phantom.h"

namespace tof {

/// Names that computedPhantom() knows: "micro-derenzo", "small-derenzo", "rat", "rat-head", "brain".
[[nodiscard]] const std::vector<std::string>& computedPhantoms();
/// micro-derenzo: six sectors of rods along x, 10 mm long, of 2.4, 2.0, 1.7, 1.35, 1.0 and 0.75 mm diameter,
/// twice that apart, within 22 mm of the axis. small-derenzo: the three thickest within 19 mm, 8 mm long.
/// rat: a body 200 mm long along y with brain, heart, liver, kidneys and bladder, and what it attenuates.
/// rat-head: the same with its brain in the middle. brain: a head (recon/phantom/brain_phantom.h).
/// `name` is one of computedPhantoms().
[[nodiscard]] Phantom computedPhantom(const std::string& name);

/// Centres (y, z in mm) of the rods of a sector: rows of a triangle that opens from the middle towards
/// `azimuth`.
[[nodiscard]] std::vector<std::array<double, 2>> derenzoRods(double diameter_mm, double azimuth_rad,
                                                             double radius_mm);

}  // namespace tof
