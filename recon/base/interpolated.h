// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/base/lattice.h"

namespace tof {

/// The value at a point, mm, by trilinear interpolation between voxel centres; voxels beyond the lattice are
/// 0.
[[nodiscard]] double interpolated(const Volume& volume, Vec3 mm);

}  // namespace tof
