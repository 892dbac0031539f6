// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/sensitivity.h"

#include <cmath>
#include <utility>

namespace tof {

namespace {

/// 2.70 g/cm3 times 0.0836 cm2/g without coherent scattering (NIST, NISTIR 5632: 0.0845 at 500 keV in all).
/// Its course with energy is bone's, whose effective atomic number, 13.8, is next to its 13.
constexpr double kAluminium_perMm = 0.0224;

PhantomShape tubeOf(std::string name, double diameter_mm, double y_mm) {
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Cylinder;
    shape.name = std::move(name);
    shape.centre = {0, y_mm, 0};
    shape.radius_mm = 0.5 * diameter_mm;
    shape.size_mm = {diameter_mm, diameter_mm, kNemaLine_mm};
    return shape;
}

PhantomShape filled(PhantomShape shape, Material material, double mu_per_mm) {
    shape.material = material;
    shape.mu_per_mm = mu_per_mm;
    return shape;
}

}  // namespace

Phantom linesInSleeves(int sleeves, double height_mm) {
    constexpr double kTube_mm = 3;
    constexpr double kSource_mm = 1;
    Phantom phantom;
    phantom.name = "line source in sleeves";
    const double y = -height_mm;
    for (int i = sleeves; i-- > 0;) {  // what comes later replaces what came before
        const auto& [inner, outer] = kNemaSleeves_mm[static_cast<std::size_t>(i)];
        phantom.shapes.push_back(filled(tubeOf("sleeve", outer, y), Material::Bone, kAluminium_perMm));
        phantom.shapes.push_back(tubeOf("air", inner, y));
    }
    phantom.shapes.push_back(filled(tubeOf("tube", kTube_mm, y), Material::Polyethylene,
                                    attenuationAt511(Material::Polyethylene)));
    phantom.shapes.push_back(
        filled(tubeOf("source", kSource_mm, y), Material::Water, attenuationAt511(Material::Water)));
    phantom.shapes.back().activity = 1;
    return phantom;
}

double sleeveWall_mm(int sleeves) {
    double wall = 0;
    for (int i = 0; i < sleeves; ++i) {
        const auto& [inner, outer] = kNemaSleeves_mm[static_cast<std::size_t>(i)];
        wall += 0.5 * (outer - inner);
    }
    return wall;
}

SleeveFit fitSleeves(const std::vector<double>& wall_mm, const std::vector<double>& rates) {
    const auto n = static_cast<double>(rates.size());
    double meanX = 0;
    double meanY = 0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        meanX += wall_mm[i] / n;
        meanY += std::log(rates[i]) / n;
    }
    double xx = 0;
    double xy = 0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        xx += (wall_mm[i] - meanX) * (wall_mm[i] - meanX);
        xy += (wall_mm[i] - meanX) * (std::log(rates[i]) - meanY);
    }
    const double slope = xy / xx;
    return {std::exp(meanY - slope * meanX), -0.5 * slope};
}

}  // namespace tof
