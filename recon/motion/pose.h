// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "recon/base/vec3.h"

namespace tof {

/// A rigid motion of space: a turn about the origin, then a shift.
struct Pose {
    std::array<double, 9> turn{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< rotation matrix, row by row
    Vec3 shift;                                             ///< mm

    /// Where a direction, or a difference of points, turns to.
    [[nodiscard]] Vec3 turned(Vec3 d) const {
        return {turn[0] * d.x + turn[1] * d.y + turn[2] * d.z, turn[3] * d.x + turn[4] * d.y + turn[5] * d.z,
                turn[6] * d.x + turn[7] * d.y + turn[8] * d.z};
    }
    /// Where a point goes, mm.
    [[nodiscard]] Vec3 moved(Vec3 p) const { return turned(p) + shift; }
    [[nodiscard]] Pose inverse() const;
    /// The motion that is `first` and then this one.
    [[nodiscard]] Pose after(const Pose& first) const;
    /// The farthest that a corner of the cube of +-`reach_mm` about the origin lies from where `other` takes
    /// it, mm.
    [[nodiscard]] double distance(const Pose& other, double reach_mm) const;
    [[nodiscard]] bool operator==(const Pose&) const = default;
};

/// How far a matrix (row by row) is from a rotation: the largest error of a product of two of its rows, or of
/// its determinant, whichever is larger.
[[nodiscard]] double rotationFault(const std::array<double, 9>& matrix);
/// The rotation that a matrix is but for rounding: its rows become orthonormal to the last digit.
[[nodiscard]] std::array<double, 9> nearestRotation(const std::array<double, 9>& matrix);
/// The motion a share in [0, 1] of the way from one to another: it turns evenly by the shorter way (slerp),
/// and the origin goes straight.
[[nodiscard]] Pose between(const Pose& from, const Pose& to, double share);

}  // namespace tof
