// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/sphere_recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr double kShare = 0.8;
constexpr int kCircles = 8;
constexpr double kCircleRadius_mm = 15;
constexpr double kCylinderRoiRadius_mm = 25;

const PhantomShape& bodyOf(const Phantom& phantom) {
    const auto body = std::find_if(phantom.shapes.begin(), phantom.shapes.end(), [](const PhantomShape& s) {
        return s.role == "background" && s.kind == PhantomShape::Kind::Cylinder && s.activity > 0;
    });
    if (body == phantom.shapes.end()) {
        throw WrongUse("phantom '{}' has no cylinder of role background", phantom.name);
    }
    return *body;
}

Roi uniformCircle(const std::string& name, Vec3 centre, double radius_mm) {
    Roi roi;
    roi.name = name;
    roi.role = Roi::Role::Uniform;
    roi.centre = centre;
    roi.radius_mm = radius_mm;
    return roi;
}

}  // namespace

RoiSet recoveryRois(const Phantom& phantom, SphereCircle circle) {
    const PhantomShape& body = bodyOf(phantom);
    RoiSet set;
    double reach = 0;
    double z = body.centre.z;
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.role != "sphere" || shape.kind != PhantomShape::Kind::Sphere) {
            continue;
        }
        Roi roi;
        roi.name = shape.name;
        roi.role = Roi::Role::Sphere;
        roi.centre = shape.centre;
        roi.radius_mm = kShare * shape.radius_mm * (circle == SphereCircle::OfRadius ? 0.5 : 1.0);
        roi.trueRatio = shape.activity / body.activity;
        set.rois.push_back(std::move(roi));
        reach = std::max(reach, std::hypot(shape.centre.x - body.centre.x, shape.centre.y - body.centre.y) +
                                    shape.radius_mm);
        z = shape.centre.z;
    }
    if (set.rois.empty()) {
        set.rois.push_back(uniformCircle("uniform", body.centre, kCylinderRoiRadius_mm));
        return set;
    }
    if (body.radius_mm - reach < 2 * kCircleRadius_mm) {
        throw WrongUse("phantom '{}' has no room for circles of {:g} mm radius around its spheres",
                       phantom.name, kCircleRadius_mm);
    }
    for (int i = 0; i < kCircles; ++i) {
        const double angle = 2 * kPi * (i + 0.5) / kCircles;
        const double distance = 0.5 * (reach + body.radius_mm);
        set.rois.push_back(uniformCircle(
            fmt::format("background {}", i + 1),
            {body.centre.x + distance * std::cos(angle), body.centre.y + distance * std::sin(angle), z},
            kCircleRadius_mm));
    }
    return set;
}

}  // namespace tof
