// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/motion/pose.h"
#include "recon/phantom/phantom.h"

namespace tof {

/// A phantom where a pose takes it. Spheres and points go anywhere; cylinders stay along z and boxes along
/// the axes, or WrongUse is thrown. Volumes are interpolated between voxels, on a lattice of the same spacing
/// that holds all of them. Name and description stay those of the reference pose.
[[nodiscard]] Phantom movedPhantom(const Phantom& phantom, const Pose& pose);

}  // namespace tof
