// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/sphere_recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/core/constants.h"
#include "recon/core/error.h"

namespace tof {

namespace {

constexpr double kShare = 0.8;
constexpr int kCircles = 8;
constexpr double kCircleRadius_mm = 15;

}  // namespace

SphereRecovery::SphereRecovery(const Phantom& phantom, const Lattice& lattice, SphereCircle circle)
    : lattice_(lattice) {
    const auto body = std::find_if(phantom.shapes.begin(), phantom.shapes.end(), [](const PhantomShape& s) {
        return s.role == "background" && s.kind == PhantomShape::Kind::Cylinder && s.activity > 0;
    });
    if (body == phantom.shapes.end()) {
        throw WrongUse(fmt::format("phantom '{}' has no cylinder of role background", phantom.name));
    }
    double reach = 0;
    double z = 0;
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.role != "sphere" || shape.kind != PhantomShape::Kind::Sphere) {
            continue;
        }
        Roi roi;
        roi.centre = shape.centre;
        roi.radius_mm = kShare * shape.radius_mm * (circle == SphereCircle::OfRadius ? 0.5 : 1.0);
        Target target;
        target.figure.name = shape.name;
        target.figure.diameter_mm = 2 * shape.radius_mm;
        target.figure.trueRatio = shape.activity / body->activity;
        target.voxels = roiVoxels(roi, lattice);
        spheres_.push_back(std::move(target));
        reach = std::max(reach, std::hypot(shape.centre.x - body->centre.x, shape.centre.y - body->centre.y) +
                                    shape.radius_mm);
        z = shape.centre.z;
    }
    if (spheres_.empty() || body->radius_mm - reach < 2 * kCircleRadius_mm) {
        throw WrongUse(
            fmt::format("phantom '{}' has no spheres of role sphere with room for circles of {:g} "
                        "mm radius around them",
                        phantom.name, kCircleRadius_mm));
    }
    for (int i = 0; i < kCircles; ++i) {
        const double angle = 2 * kPi * (i + 0.5) / kCircles;
        const double distance = 0.5 * (reach + body->radius_mm);
        Roi roi;
        roi.name = fmt::format("background {}", i + 1);
        roi.role = Roi::Role::Uniform;
        roi.radius_mm = kCircleRadius_mm;
        roi.centre = {body->centre.x + distance * std::cos(angle),
                      body->centre.y + distance * std::sin(angle), z};
        background_.push_back(roiVoxels(roi, lattice));
        backgroundRois_.push_back(std::move(roi));
    }
}

RecoveryFigures SphereRecovery::evaluate(const float* image) const {
    RecoveryFigures figures;
    for (const auto& voxels : background_) {
        const RoiStatistics statistics = roiStatistics(voxels, lattice_, image);
        figures.background += statistics.mean / kCircles;
        figures.nsr += statistics.sd / statistics.mean / kCircles;
    }
    for (const Target& target : spheres_) {
        SphereFigure figure = target.figure;
        figure.mean = roiStatistics(target.voxels, lattice_, image).mean;
        figure.recovery = (figure.mean / figures.background - 1) / (figure.trueRatio - 1);
        figures.spheres.push_back(figure);
    }
    return figures;
}

}  // namespace tof
