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

/// A cylinder of activity 1 in air, about the axis and the centre.
inline Phantom airCylinder(double radius_mm, double length_mm) {
    Phantom phantom;
    phantom.name = "air";
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Cylinder;
    shape.radius_mm = radius_mm;
    shape.size_mm.z = length_mm;
    shape.activity = 1;
    phantom.shapes = {shape};
    return phantom;
}

}  // namespace tof::test
