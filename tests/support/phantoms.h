// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/phantom/phantom.h"

namespace tof::test {

/// A point of activity 1.
inline Phantom pointAt(Vec3 centre) {
    Phantom phantom;
    phantom.name = "point";
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Point;
    shape.centre = centre;
    shape.activity = 1;
    phantom.shapes = {shape};
    return phantom;
}

/// A cylinder of activity 1 about the axis and the centre, in air or of what attenuates.
inline Phantom cylinder(double radius_mm, double length_mm, double mu_per_mm) {
    Phantom phantom;
    phantom.name = "cylinder";
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Cylinder;
    shape.radius_mm = radius_mm;
    shape.size_mm.z = length_mm;
    shape.mu_per_mm = mu_per_mm;
    shape.activity = 1;
    phantom.shapes = {shape};
    return phantom;
}

inline Phantom airCylinder(double radius_mm, double length_mm) {
    return cylinder(radius_mm, length_mm, 0);
}

inline Phantom waterCylinder(double radius_mm, double length_mm) {
    return cylinder(radius_mm, length_mm, 0.0096);
}

}  // namespace tof::test
