// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/small_animal.h"

#include "recon/base/constants.h"

namespace tof {

namespace {

constexpr double kLine_mm = 3.2;  // diameter of the source
constexpr double kBeside_mm = 8;  // beyond the cylinder
constexpr double kSmallStrip_mm = 14;
constexpr double kPoint_mm = 0.3;
constexpr double kCube_mm = 10;
constexpr double kAcrylic_perMm = 0.011;  // as phantom nema-nu4 has it

PhantomShape cylinderOf(const char* name, double diameter_mm, double length_mm, double y_mm) {
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Cylinder;
    shape.name = name;
    shape.centre = {0, y_mm, 0};
    shape.radius_mm = 0.5 * diameter_mm;
    shape.size_mm = {diameter_mm, diameter_mm, length_mm};
    shape.material = Material::Polyethylene;
    shape.mu_per_mm = attenuationAt511(Material::Polyethylene);
    return shape;
}

}  // namespace

double SmallCylinder::volume_ml() const {
    return 0.25e-3 * kPi * diameter * diameter * length;
}

Phantom lineInCylinder(const SmallCylinder& cylinder) {
    Phantom phantom;
    phantom.name = cylinder.name;
    phantom.shapes.push_back(cylinderOf("polyethylene", cylinder.diameter, cylinder.length, 0));
    phantom.shapes.push_back(cylinderOf("line source", kLine_mm, cylinder.source, cylinder.off));
    phantom.shapes.back().activity = 1;
    return phantom;
}

RateRules rateRulesOf(const SmallCylinder& cylinder) {
    RateRules rules;
    rules.radius_mm = 0.5 * cylinder.diameter + kBeside_mm;
    rules.strip_mm = kSmallStrip_mm;
    rules.halfLength_mm = 1e9;
    rules.volume_ml = cylinder.volume_ml();
    rules.bin_mm = 0.5;
    return rules;
}

Phantom pointInAcrylic(Vec3 at) {
    Phantom phantom;
    phantom.name = "point in acrylic";
    PhantomShape& cube = phantom.shapes.emplace_back();
    cube.kind = PhantomShape::Kind::Box;
    cube.name = "acrylic";
    cube.centre = at;
    cube.size_mm = {kCube_mm, kCube_mm, kCube_mm};
    cube.mu_per_mm = kAcrylic_perMm;
    PhantomShape& point = phantom.shapes.emplace_back();
    point.name = "point";
    point.centre = at;
    point.radius_mm = 0.5 * kPoint_mm;
    point.mu_per_mm = kAcrylic_perMm;
    point.activity = 1;
    return phantom;
}

}  // namespace tof
