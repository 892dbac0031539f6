// SPDX-License-Identifier: Apache-2.0
#include "recon/phantom/brain_phantom.h"

#include <cmath>

#include "recon/base/constants.h"

namespace tof {

namespace {

constexpr double kVoxel_mm = 2;
constexpr float kMuBrain_perMm = 0.0096F;
constexpr float kMuBone_perMm = 0.0143F;  ///< skull, with its marrow
constexpr Vec3 kHead_mm{78, 98, 100};     ///< half axes, also of what follows
constexpr Vec3 kSkull_mm{72, 92, 94};
constexpr Vec3 kBrain_mm{66, 86, 86};
constexpr double kFold_mm = 26;      ///< from one fold of the cortex to the next but one
constexpr double kDeepest = 0.6;     ///< folds reach down to this share of the way to the surface
constexpr double kRim = 0.95;        ///< grey all over beyond this
constexpr double kThickness = 0.62;  ///< thickness of the gyroid's values that are grey

/// How far out a point is, 1 on the surface of an ellipsoid about the origin.
double share(Vec3 at, Vec3 half) {
    return std::hypot(at.x / half.x, at.y / half.y, at.z / half.z);
}

bool within(Vec3 at, Vec3 centre, Vec3 half) {
    // Both halves of the brain are alike.
    return share(Vec3{std::abs(at.x), at.y, at.z} - centre, half) <= 1;
}

/// A gyroid (A. Schoen, NASA TN D-5541, 1970): near 0 along sheets that part space in two.
double folds(Vec3 at) {
    const double k = 2 * kPi / kFold_mm;
    const double across = std::abs(at.x);
    // Slanted, so that slices along the axes cut it obliquely.
    const double x = k * (across + 0.45 * at.z);
    const double y = k * (at.y - 0.35 * at.z + 0.25 * across);
    const double z = k * (at.z + 0.3 * at.y);
    return std::sin(x) * std::cos(y) + std::sin(y) * std::cos(z) + std::sin(z) * std::cos(x);
}

bool isEmpty(Vec3 at, double out) {
    const bool fissure = std::abs(at.x) < 1.5 && out > 0.6;
    const bool ventricle = within(at, {8, -5, 18}, {5, 32, 10}) || within(at, {0, -8, 0}, {2.5, 14, 9});
    return fissure || ventricle;
}

bool isNucleus(Vec3 at) {
    return within(at, {14, 16, 10}, {6, 14, 11}) || within(at, {27, 6, 2}, {6, 18, 10}) ||
           within(at, {10, -14, 4}, {7, 13, 9});
}

float uptake(Vec3 at) {
    const double out = share(at, kBrain_mm);
    if (out > 1) {
        const bool scalp = share(at, kHead_mm) <= 1 && share(at, kSkull_mm) > 1;
        return scalp ? BrainUptake::kScalp : 0;
    }
    if (isEmpty(at, out)) {
        return 0;
    }
    const bool cortex = out > kRim || (out > kDeepest && std::abs(folds(at)) < kThickness);
    return cortex || isNucleus(at) ? BrainUptake::kGrey : BrainUptake::kWhite;
}

float attenuation(Vec3 at) {
    if (share(at, kHead_mm) > 1) {
        return 0;
    }
    const bool bone = share(at, kSkull_mm) <= 1 && share(at, kBrain_mm) > 1;
    return bone ? kMuBone_perMm : kMuBrain_perMm;
}

}  // namespace

Phantom brainPhantom() {
    const Lattice lattice = Lattice::centred({84, 104, 104}, {kVoxel_mm, kVoxel_mm, kVoxel_mm});
    Volume emission(lattice);
    Volume mu(lattice);
    mu.units = "1/mm";
    lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 at = lattice.centre(x, y, z);
        emission.at(x, y, z) = uptake(at);
        mu.at(x, y, z) = attenuation(at);
    });
    Phantom phantom;
    phantom.name = "brain";
    phantom.description = phantom.name;
    phantom.emission = std::move(emission);
    phantom.attenuation = std::move(mu);
    return phantom;
}

}  // namespace tof
