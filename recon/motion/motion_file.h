// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/motion/rigid_motion.h"

namespace tof {

/// Reads a tracker's file of poses (docs/formats.md, "Poses of a tracker"): a table (.tsv) or JSON (.json).
/// Frame, units, reference pose and end are stated in the file; nothing is guessed. Throws BadInput, one
/// sentence with file and line, for times that go back, matrices that are no rotations (1e-3), missing
/// numbers, steps longer than the file allows, and fields that are unknown or missing.
[[nodiscard]] RigidMotion motionFrom(const MotionRequest& request);

}  // namespace tof
