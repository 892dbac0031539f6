// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "recon/base/lattice.h"

namespace tof {

/// A vector for every voxel of a lattice, mm, along the scanner's axes (left-posterior-superior).
struct DisplacementField {
    Lattice lattice;
    std::array<std::vector<float>, 3> mm;  ///< x, y and z of all vectors, [z][y][x] each; finite
};

}  // namespace tof
