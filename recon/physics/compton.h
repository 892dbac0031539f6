// SPDX-License-Identifier: Apache-2.0
// Compton scattering at free electrons, as host and device draw it.
#pragma once

#include <array>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/hd.h"
#include "recon/base/vec3.h"
#include "recon/physics/materials.h"

namespace tof {

struct ComptonScatter {
    double energy_keV = 0;  ///< of the photon afterwards
    double cosine = 1;      ///< of the angle between before and after
};

/// Draws from the formula of Klein and Nishina by Kahn's rejection (Kahn, RAND AECU-3259, 1956). `Random`
/// gives uniform() in (0, 1).
template <class Random>
[[nodiscard]] TOF_HD ComptonScatter drawCompton(double energy_keV, Random& random) {
    const double a = energy_keV / kElectron_keV;
    const double whole = 1 + 2 * a;
    while (true) {
        const bool near = random.uniform() * (9 + 2 * a) <= whole;
        const double place = random.uniform();
        const double chance = random.uniform();
        const double x = near ? 1 + 2 * a * place : whole / (1 + 2 * a * place);  // energy before over after
        const double cosine = 1 - (x - 1) / a;
        const double limit = near ? 4 * (1 / x - 1 / (x * x)) : 0.5 * (cosine * cosine + 1 / x);
        if (chance <= limit) {
            return {energy_keV / x, cosine};
        }
    }
}

/// Which scatters are of use: those after which a photon keeps `least_keV`. Plain data.
struct ComptonCut {
    double least_keV = 0;                                   ///< 0: all are
    std::array<float, CrossSections::kSize> usefulShare{};  ///< of all scatters, by whole keV before
};
[[nodiscard]] ComptonCut comptonCut(double least_keV);

/// As drawCompton(), but knows first whether the photon keeps enough; false when it does not, and then
/// nothing else is drawn. The distribution of what comes back is that of the useful scatters.
template <class Random>
[[nodiscard]] TOF_HD bool drawUsefulCompton(double energy_keV, const ComptonCut& cut, Random& random,
                                            ComptonScatter& after) {
    if (!(cut.least_keV > 0)) {
        after = drawCompton(energy_keV, random);
        return true;
    }
    if (random.uniform() >= atEnergy(cut.usefulShare.data(), energy_keV)) {
        return false;
    }
    const double a = energy_keV / kElectron_keV;
    const double widest = std::fmin(2.0, (energy_keV / cut.least_keV - 1) / a);  // of 1 - cosine
    while (true) {
        const double turn = widest * random.uniform();
        const double kept = 1 / (1 + a * turn);
        // Klein and Nishina's formula over its value straight on, which is its largest.
        const double chance = 0.5 * kept * kept * (kept + 1 / kept - turn * (2 - turn));
        if (random.uniform() <= chance) {
            after.energy_keV = energy_keV * kept;
            after.cosine = 1 - turn;
            return true;
        }
    }
}

/// `d` (a unit vector) turned by the angle of the cosine, in the plane of the azimuth; a unit vector.
[[nodiscard]] TOF_HD inline Vec3 turned(Vec3 d, double cosine, double azimuth) {
    const double sine = std::sqrt(std::fmax(0.0, 1 - cosine * cosine));
    // Any two unit vectors across d: Duff et al., J. Comput. Graph. Tech. 6 (2017) 1.
    const double sign = d.z >= 0 ? 1.0 : -1.0;
    const double a = -1 / (sign + d.z);
    const double b = d.x * d.y * a;
    const Vec3 one{1 + sign * d.x * d.x * a, sign * b, -sign * d.x};
    const Vec3 two{b, sign + d.y * d.y * a, -d.y};
    const Vec3 result = (sine * std::cos(azimuth)) * one + (sine * std::sin(azimuth)) * two + cosine * d;
    return (1 / std::sqrt(dot(result, result))) * result;
}

/// Share of the Klein-Nishina cross-section in which a photon of `energy_keV` keeps more than `above_keV`,
/// and the mean energy afterwards: integrals over the cosine, right to 1e-4. For tests and estimates.
struct KleinNishina {
    double shareAbove = 0;
    double meanEnergy_keV = 0;
};
[[nodiscard]] inline KleinNishina kleinNishina(double energy_keV, double above_keV) {
    constexpr int kSteps = 20000;
    const double a = energy_keV / kElectron_keV;
    double all = 0;
    double above = 0;
    double energies = 0;
    for (int i = 0; i < kSteps; ++i) {  // midpoints in the cosine
        const double cosine = -1 + 2 * (i + 0.5) / kSteps;
        const double p = 1 / (1 + a * (1 - cosine));
        const double weight = p * p * (p + 1 / p - (1 - cosine * cosine));
        all += weight;
        above += p * energy_keV > above_keV ? weight : 0;
        energies += weight * p * energy_keV;
    }
    return {above / all, energies / all};
}

}  // namespace tof
