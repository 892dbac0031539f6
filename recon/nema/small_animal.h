// SPDX-License-Identifier: Apache-2.0
// Sources of NEMA NU 4-2008, for scanners of small animals: the point of its sections 3 and 4 (resolution and
// sensitivity) and the mouse and the rat of its section 5 (scatter fraction and count rates).
#pragma once

#include "recon/nema/count_rates.h"
#include "recon/phantom/phantom.h"

namespace tof {

/// A cylinder of polyethylene with a line source of 3.2 mm in a hole parallel to its axis. Lengths in mm.
struct SmallCylinder {
    const char* name;
    double diameter;
    double length;
    double off;     ///< the line's distance from the axis
    double source;  ///< length of the line
    [[nodiscard]] double volume_ml() const;
};
inline constexpr SmallCylinder kMouse{"mouse", 25, 70, 10, 60};
inline constexpr SmallCylinder kRat{"rat", 50, 150, 17.5, 140};

/// The phantom, on the axis, its line source below.
[[nodiscard]] Phantom lineInCylinder(const SmallCylinder& cylinder);
/// What is looked at of its scan: 8 mm around the cylinder, a strip of 14 mm, all slices.
[[nodiscard]] RateRules rateRulesOf(const SmallCylinder& cylinder);

/// A point of 0.3 mm in the middle of a cube of acrylic of 10 mm, mm.
[[nodiscard]] Phantom pointInAcrylic(Vec3 at);
inline constexpr double kAroundPoint_mm = 10;  ///< counts farther from the point are not its own

}  // namespace tof
