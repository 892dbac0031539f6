// SPDX-License-Identifier: Apache-2.0
// The arithmetic of ids and taps, in double, shared by host and device (docs/model.md section 2). Tables
// built anywhere must equal the host's exactly, so nothing else computes an id or decides whether a tap
// exists.
#pragma once

#include <cmath>
#include <cstdint>

#include "recon/base/hd.h"
#include "recon/base/vec3.h"

namespace tof {

/// Below this |s| a voxel lies on the centre line and has no side.
inline constexpr double kCentreLine_mm = 1e-6;

/// Radial id: floor((|s| + 1e-6 mm) / eps). Voxels sit on id boundaries at 0 and 90 degrees; the 1e-6 mm
/// decides them all the same way.
[[nodiscard]] TOF_HD inline int radialId(double s_mm, double step_mm) {
    return static_cast<int>(floor((fabs(s_mm) + kCentreLine_mm) / step_mm));
}

/// Signed radial coordinate s (mm) of a voxel centre: the one expression that ids are made from.
[[nodiscard]] TOF_HD inline double radialDistance(Vec3 centre, Vec3 radialAxis) {
    return centre.x * radialAxis.x + centre.y * radialAxis.y;
}

/// Whether a kernel is the same on both sides of the centre line.
enum class Sides { One, Both };

/// Row of the value table for a voxel at signed distance s. Symmetric kernels: the radial id. Sided kernels,
/// with n radial ids: id for s > 0, n + id for s < 0, 2 n on the centre line (mean of both mirror kernels).
[[nodiscard]] TOF_HD inline int kernelId(double s_mm, double step_mm, int radialIds, Sides sides) {
    const int id = radialId(s_mm, step_mm);
    if (sides == Sides::One) {
        return id;
    }
    if (fabs(s_mm) < kCentreLine_mm) {
        return 2 * radialIds;
    }
    return s_mm > 0 ? id : radialIds + id;
}

/// Half-axes of the support ellipsoid along u, r, a, in mm: k times the widest sigma of each direction.
struct SupportAxes {
    double tof;
    double radial;
    double axial;
};

/// True when the offset with components T, Q, A (mm) lies in the support, boundary included.
[[nodiscard]] TOF_HD inline bool insideSupport(double T, double Q, double A, SupportAxes axes) {
    const double t = T / axes.tof;
    const double q = Q / axes.radial;
    const double a = A / axes.axial;
    return t * t + q * q + a * a <= 1.0 + 1e-9;
}

}  // namespace tof
