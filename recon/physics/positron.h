// SPDX-License-Identifier: Apache-2.0
// How far from its nucleus a positron annihilates, and how far from opposite both photons fly.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/hd.h"
#include "recon/base/lesser.h"
#include "recon/base/vec3.h"
#include "recon/physics/compton.h"

namespace tof {

/// Distances from nucleus to annihilation in water: a mixture of two densities k^2 r exp(-k r). Its
/// projection on any axis is C exp(-k1 |x|) + (1 - C) exp(-k2 |x|), which is what Levin and Hoffman tabulate
/// (Phys. Med. Biol. 44 (1999) 781, corrigendum 45 (2000) 559), and the shares of the two are as C/k1 to (1 -
/// C)/k2.
struct PositronRange {
    double nearShare = 0;   ///< near share of annihilations that follow the first density; 0..1
    double near_perMm = 1;  ///< k1
    double far_perMm = 1;   ///< k2
    [[nodiscard]] double mean_mm() const {
        return 2 * (nearShare / near_perMm + (1 - nearShare) / far_perMm);
    }
};

struct Isotope {
    std::string name;
    PositronRange range;  ///< in water
    double branching;     ///< positrons per decay, of petNuclides
};

/// F-18, C-11, N-13 and O-15 by Levin and Hoffman; Ga-68 and Rb-82 have the shape of O-15 stretched to their
/// mean distances of 2.9 and 5.9 mm, by the scaling of Cal-Gonzalez et al. (AIP Conf. Proc. 1541 (2013) 169).
[[nodiscard]] const std::vector<Isotope>& isotopes();
/// Throws WrongUse with the names.
[[nodiscard]] const Isotope& isotopeNamed(const std::string& name);

template <class Random>
[[nodiscard]] TOF_HD Real3 drawUnit(Random& random) {
    const Real z = 2 * drawReal(random) - 1;
    const Real across = std::sqrt(greater(Real{0}, 1 - z * z));
    const SineCosine azimuth = sineCosine(drawReal(random));
    return {across * azimuth.cosine, across * azimuth.sine, z};
}

/// The way from the nucleus to the annihilation, mm.
template <class Random>
[[nodiscard]] TOF_HD Real3 drawRange(const PositronRange& range, Random& random) {
    const bool near = drawReal(random) < static_cast<Real>(range.nearShare);
    const Real k = static_cast<Real>(near ? range.near_perMm : range.far_perMm);
    const Real one = drawReal(random);
    const Real two = drawReal(random);
    const Real length = (minusLog(one) + minusLog(two)) / k;
    return length * drawUnit(random);
}

/// FWHM of the angle between one photon and the way back along the other, in any plane through them (Beringer
/// and Montgomery, Phys. Rev. 61 (1942) 222; the usual figure for water).
inline constexpr double kAcollinearity_rad = 0.5 * kRadPerDeg;

/// The second photon's direction, where the first flies along `d`.
template <class Random>
[[nodiscard]] TOF_HD Real3 drawOpposite(const Real3& d, Random& random) {
    // A Gaussian in each of two planes is an angle by Rayleigh's law; 1 - cosine of angles below 2 degrees
    // is half their square to 1e-4 of it.
    constexpr double kSigma = kAcollinearity_rad / kFwhmPerSigma;
    const Real turn = static_cast<Real>(kSigma * kSigma) * minusLog(drawReal(random));
    return turned(-d, turn, drawReal(random));
}

}  // namespace tof
