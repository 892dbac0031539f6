// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/base/lattice.h"

namespace tof {

/// The lattice that the settings `grid` ("128x128x63") and `voxel` (mm, "4" or "4x4x2") ask for, about the
/// middle of the data's `own`; what is not said is the data's: without a grid as many voxels as cover the
/// same field, without a voxel size the field cut into the grid. Throws WrongUse for other texts, and for
/// grids of more than 2^31 voxels.
[[nodiscard]] Lattice imageLattice(const std::string& grid, const std::string& voxel, const Lattice& own);

}  // namespace tof
