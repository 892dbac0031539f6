// SPDX-License-Identifier: Apache-2.0
// Where an image was put, in the numbers that people type.
#pragma once

#include "recon/base/lattice.h"
#include "recon/motion/pose.h"

namespace tof {

/// A rigid motion as turns about a point and a shift.
struct RigidPlace {
    Vec3 shift_mm;  ///< where that point goes
    Vec3 turn_deg;  ///< about x first, then about y, then about z, all fixed axes of the scanner
    [[nodiscard]] bool operator==(const RigidPlace&) const = default;
};

/// The motion, by turns about `middle`, mm.
[[nodiscard]] Pose poseOf(const RigidPlace& place, Vec3 middle);
/// The numbers of a motion about `middle`: turns about y within +-90 degrees, the others within +-180.
[[nodiscard]] RigidPlace placeOf(const Pose& pose, Vec3 middle);
/// A turn about `middle` by the length of `turn_rad` about its direction, then a shift.
[[nodiscard]] Pose smallMotion(Vec3 turn_rad, Vec3 shift_mm, Vec3 middle);
/// The angle of the one turn that a motion is, degrees.
[[nodiscard]] double angle_deg(const Pose& pose);
/// The middle of the box of a lattice, mm.
[[nodiscard]] Vec3 middleOf(const Lattice& lattice);

}  // namespace tof
