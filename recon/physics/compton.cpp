// SPDX-License-Identifier: Apache-2.0
#include "recon/physics/compton.h"
#include "recon/base/lesser.h"

namespace tof {

namespace {

/// Integral of the Klein-Nishina formula over 1 - cosine from 0, by Simpson's rule.
double integral(double energy_keV, double upTo) {
    constexpr int kSteps = 200;
    const double a = energy_keV / kElectron_keV;
    const double step = upTo / kSteps;
    double sum = 0;
    for (int i = 0; i <= kSteps; ++i) {
        const double turn = i * step;
        const double kept = 1 / (1 + a * turn);
        const double value = kept * kept * (kept + 1 / kept - turn * (2 - turn));
        sum += value * (i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2);
    }
    return sum * step / 3;
}

}  // namespace

ComptonCut comptonCut(double least_keV) {
    ComptonCut cut;
    cut.least_keV = static_cast<Real>(least_keV);
    for (std::size_t keV = 1; keV < CrossSections::kSize; ++keV) {
        const auto energy = static_cast<double>(keV);
        const double widest = lesser(2.0, (energy / greater(least_keV, 1e-9) - 1) * kElectron_keV / energy);
        cut.usefulShare[keV] =
            widest > 0 ? static_cast<float>(integral(energy, widest) / integral(energy, 2)) : 0.0F;
    }
    return cut;
}

}  // namespace tof
