// SPDX-License-Identifier: Apache-2.0
// Compton scattering at free electrons, as host and device draw it.
#pragma once

#include <array>
#include <cmath>

#include "recon/base/hd.h"
#include "recon/base/lesser.h"
#include "recon/physics/materials.h"
#include "recon/physics/real.h"

namespace tof {

struct ComptonScatter {
    Real energy_keV = 0;  ///< energy of the photon afterwards
    Real turn = 0;        ///< 1 - cosine of the angle between before and after
};

/// One try at a scatter by the formula of Klein and Nishina, with Kahn's rejection (Kahn, RAND AECU-3259,
/// 1956): three numbers. `Random` gives uniform() in (0, 1). False where it was rejected.
template <class Random>
[[nodiscard]] TOF_HD bool tryCompton(Real energy_keV, Random& random, ComptonScatter& after) {
    const Real a = energy_keV / kRealElectron_keV;
    const Real whole = 1 + 2 * a;
    const bool near = drawReal(random) * (9 + 2 * a) <= whole;
    const Real place = drawReal(random);
    const Real chance = drawReal(random);
    const Real x = near ? 1 + 2 * a * place : whole / (1 + 2 * a * place);  // energy before over after
    const Real turn = lesser((x - 1) / a, Real{2});
    const Real kept = 1 / x;
    const Real limit = near ? 4 * (kept - kept * kept) : Real{0.5} * ((1 - turn) * (1 - turn) + kept);
    after = {energy_keV * kept, turn};
    return chance <= limit;
}

/// Tries until a scatter is accepted.
template <class Random>
[[nodiscard]] TOF_HD ComptonScatter drawCompton(Real energy_keV, Random& random) {
    ComptonScatter after;
    bool accepted = false;
    while (!accepted) {
        ready(random, 4);
        accepted = tryCompton(energy_keV, random, after);
    }
    return after;
}

/// Which scatters are of use: those after which a photon keeps `least_keV`. Plain data.
struct ComptonCut {
    Real least_keV = 0;                                     ///< 0: all are
    std::array<float, CrossSections::kSize> usefulShare{};  ///< share of scatters, by whole keV before
};
[[nodiscard]] ComptonCut comptonCut(double least_keV);

/// Whether a scatter, should one happen, leaves a photon enough; drawn beforehand.
template <class Random>
[[nodiscard]] TOF_HD bool drawUse(Real energy_keV, const ComptonCut& cut, Random& random) {
    return !(cut.least_keV > 0) || drawReal(random) < atEnergy(cut.usefulShare.data(), energy_keV);
}

/// The share of scatters that are of use to an annihilation photon, above 1 where all are.
[[nodiscard]] TOF_HD inline Real firstUse(const ComptonCut& cut) {
    return cut.least_keV > 0 ? atEnergy(cut.usefulShare.data(), kRealElectron_keV) : Real{2};
}

/// Draws one of the scatters that are of use; some must be.
template <class Random>
[[nodiscard]] TOF_HD ComptonScatter drawOneOfUse(Real energy_keV, const ComptonCut& cut, Random& random) {
    if (!(cut.least_keV > 0)) {
        return drawCompton(energy_keV, random);
    }
    const Real a = energy_keV / kRealElectron_keV;
    const Real widest = lesser(Real{2}, (energy_keV / cut.least_keV - 1) / a);
    while (true) {
        ready(random, 3);
        const Real turn = widest * drawReal(random);
        const Real kept = 1 / (1 + a * turn);
        // Klein and Nishina's formula over its value straight on, which is its largest.
        const Real chance = Real{0.5} * kept * kept * (kept + 1 / kept - turn * (2 - turn));
        if (drawReal(random) <= chance) {
            return {energy_keV * kept, turn};
        }
    }
}

/// Draws as drawCompton() does, but knows first whether the photon keeps enough; false when it does not, and
/// then nothing else is drawn. The distribution of what comes back is that of the useful scatters.
template <class Random>
[[nodiscard]] TOF_HD bool drawUsefulCompton(Real energy_keV, const ComptonCut& cut, Random& random,
                                            ComptonScatter& after) {
    if (!drawUse(energy_keV, cut, random)) {
        return false;
    }
    after = drawOneOfUse(energy_keV, cut, random);
    return true;
}

/// `d` (a unit vector) turned by an angle, in the plane of the azimuth; a unit vector. The angle is given by
/// 1 less its cosine: single precision knows small ones no other way.
[[nodiscard]] TOF_HD inline Real3 turned(const Real3& d, Real turn, Real azimuthTurns) {
    const Real sine = std::sqrt(greater(Real{0}, turn * (2 - turn)));
    const SineCosine azimuth = sineCosine(azimuthTurns);
    // Any two unit vectors across d: Duff et al., J. Comput. Graph. Tech. 6 (2017) 1.
    const Real sign = d.z >= 0 ? Real{1} : Real{-1};
    const Real a = -1 / (sign + d.z);
    const Real b = d.x * d.y * a;
    const Real3 one{1 + sign * d.x * d.x * a, sign * b, -sign * d.x};
    const Real3 two{b, sign + d.y * d.y * a, -d.y};
    const Real3 result = (sine * azimuth.cosine) * one + (sine * azimuth.sine) * two + (1 - turn) * d;
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
