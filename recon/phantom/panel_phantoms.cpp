// SPDX-License-Identifier: Apache-2.0
#include "recon/phantom/panel_phantoms.h"

#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/phantom/brain_phantom.h"

namespace tof {

namespace {

constexpr double kRodVoxel_mm = 0.1;  // the staircase of a rod is finer than any image
constexpr double kBodyVoxel_mm = 1;
constexpr double kMuWater_perMm = 0.0096;
constexpr Vec3 kBrainOfRat{2, -82, 0};

Phantom derenzo(const std::string& name, const std::vector<double>& diameters, double radius_mm,
                double length_mm) {
    const int side = 2 * static_cast<int>(std::ceil(radius_mm / kRodVoxel_mm));
    Volume rods(Lattice::centred({1, side, side}, {length_mm, kRodVoxel_mm, kRodVoxel_mm}));
    for (std::size_t i = 0; i < diameters.size(); ++i) {
        const double azimuth = kPi / 3 * static_cast<double>(i) + kPi / 6;
        for (const auto& [y, z] : derenzoRods(diameters[i], azimuth, radius_mm)) {
            rods.lattice.forEachVoxel([&, y = y, z = z](int, int py, int pz) {
                const Vec3 at = rods.lattice.centre(0, py, pz);
                if (std::hypot(at.y - y, at.z - z) <= 0.5 * diameters[i]) {
                    rods.at(0, py, pz) = 1;
                }
            });
        }
    }
    Phantom phantom;
    phantom.name = name;
    phantom.description = name;
    phantom.emission = std::move(rods);
    return phantom;
}

/// An ellipsoid of the rat: centre and half axes in mm, relative activity.
struct Organ {
    Vec3 centre;
    Vec3 half;
    float activity;
};

Phantom rat() {
    const std::vector<Organ> organs{
        {{0, 10, 0}, {22, 75, 24}, 1},                                 // body
        {{0, -80, 0}, {15, 22, 15}, 1},                                // head
        {kBrainOfRat, {7, 10, 8}, 6},                                  // brain
        {{-3, -30, -3}, {6, 8, 7}, 10},                                // heart
        {{2, -5, 6}, {10, 9, 13}, 2},                                  // liver
        {{4, 22, 12}, {4, 8, 5}, 4},                                   // kidneys
        {{4, 26, -12}, {4, 8, 5}, 4},   {{-8, 66, 0}, {5, 7, 6}, 12},  // bladder
    };
    const Lattice lattice = Lattice::centred({46, 210, 50}, {kBodyVoxel_mm, kBodyVoxel_mm, kBodyVoxel_mm});
    Phantom phantom;
    phantom.name = "rat";
    phantom.description = "rat";
    Volume emission(lattice);
    Volume attenuation(lattice);
    lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 at = lattice.centre(x, y, z);
        for (const Organ& organ : organs) {
            const Vec3 d = at - organ.centre;
            if (std::hypot(d.x / organ.half.x, d.y / organ.half.y, d.z / organ.half.z) <= 1) {
                emission.at(x, y, z) = organ.activity;
                attenuation.at(x, y, z) = static_cast<float>(kMuWater_perMm);
            }
        }
    });
    attenuation.units = "1/mm";
    phantom.emission = std::move(emission);
    phantom.attenuation = std::move(attenuation);
    return phantom;
}

/// As the animal of paper 004 lay.
Phantom ratWithItsHeadInTheMiddle() {
    Phantom phantom = rat();
    phantom.name = "rat-head";
    phantom.description = phantom.name;
    for (std::optional<Volume>* const volume : {&phantom.emission, &phantom.attenuation}) {
        (*volume)->lattice.origin_mm = (*volume)->lattice.origin_mm - kBrainOfRat;
    }
    return phantom;
}

}  // namespace

std::vector<std::array<double, 2>> derenzoRods(double diameter_mm, double azimuth_rad, double radius_mm) {
    // Rows across the sector, each with one rod more, as far as the rods stay inside the circle.
    const double spacing = 2 * diameter_mm;
    const double rise = spacing * std::sqrt(3.0) / 2;
    const double start = 2.2 * diameter_mm + 1;
    std::vector<std::array<double, 2>> rods;
    for (int row = 0; start + row * rise < radius_mm; ++row) {
        for (int i = 0; i <= row; ++i) {
            const double along = start + row * rise;
            const double across = (i - 0.5 * row) * spacing;
            if (std::hypot(along, across) + 0.5 * diameter_mm <= radius_mm) {
                rods.push_back({along * std::cos(azimuth_rad) - across * std::sin(azimuth_rad),
                                along * std::sin(azimuth_rad) + across * std::cos(azimuth_rad)});
            }
        }
    }
    return rods;
}

const std::vector<std::string>& computedPhantoms() {
    static const std::vector<std::string> names{"micro-derenzo", "small-derenzo", "rat", "rat-head", "brain"};
    return names;
}

Phantom computedPhantom(const std::string& name) {
    if (name == "micro-derenzo") {
        return derenzo(name, {2.4, 2.0, 1.7, 1.35, 1.0, 0.75}, 22, 10);
    }
    if (name == "small-derenzo") {
        return derenzo(name, {2.4, 2.0, 1.7}, 19, 8);
    }
    if (name == "rat") {
        return rat();
    }
    if (name == "rat-head") {
        return ratWithItsHeadInTheMiddle();
    }
    if (name == "brain") {
        return brainPhantom();
    }
    throw InternalError("no computed phantom is called " + name);
}

}  // namespace tof
