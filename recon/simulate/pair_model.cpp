// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/pair_model.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/simulate/surrounding_solids.h"

namespace tof {

Readout readoutOf(const Detection& detection, const Physics& physics) {
    Readout readout;
    if (physics.energy) {
        readout.sigmaOf511 = static_cast<Real>(detection.resolution * kElectron_keV / kFwhmPerSigma);
        readout.low_keV = static_cast<Real>(detection.window_keV[0]);
        readout.high_keV = static_cast<Real>(detection.window_keV[1]);
        readout.efficiency = static_cast<Real>(detection.efficiency);
    }
    if (physics.position) {
        readout.position = detection.position;
        readout.positionSigma_mm = static_cast<Real>(detection.positionFwhm_mm / kFwhmPerSigma);
    }
    if (physics.energy && physics.randoms && detection.trigger_keV > 0) {
        readout.everyBlock = true;
        readout.trigger_keV = static_cast<Real>(detection.trigger_keV);
    }
    readout.everyBlock =
        readout.everyBlock || (physics.randoms && physics.pileUp && detection.integration_ns > 0);
    return readout;
}

namespace {

/// A photon of less energy is measured above the window's lower end once in 30,000 at most.
double leastUseful(const Readout& readout) {
    constexpr double kSigmas = 4;
    const auto low = static_cast<double>(
        readout.everyBlock ? std::max(Real{0}, std::min(readout.low_keV, readout.trigger_keV))
                           : readout.low_keV);
    const auto sigma = static_cast<double>(readout.sigmaOf511);
    double least = low;
    for (int i = 0; i < 20; ++i) {  // the width goes with the energy sought
        least = low - kSigmas * sigma * std::sqrt(std::max(least, 0.0) / kElectron_keV);
    }
    return std::max(least, static_cast<double>(kLeastInCrystal_keV));
}

}  // namespace

PairModel::PairModel(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
                     const ThreadPool& pool)
    : detector_(scanner),
      emission_(phantom, pool),
      medium_(phantom, tubesAround(scanner, physics)),
      crystals_(scanner, detector_),
      points_(referencePoints(scanner)) {
    lines_.points = points_.data();
    lines_.sinAcceptance2 = std::pow(std::sin(scanner.acceptance_rad), 2);
    lines_.fovRadius2 = scanner.fovRadius_mm * scanner.fovRadius_mm;
    pair_.medium = medium_.view();
    pair_.crystals = crystals_.view();
    pair_.readout = readoutOf(*scanner.detection, physics);
    pair_.range = isotopeNamed(physics.isotope).range;
    pair_.moves = physics.range;
    pair_.acollinear = physics.acollinearity;
    pair_.compton = physics.scatter ? Compton::Turns : Compton::Absorbs;
    pair_.crystalCompton = physics.crystals ? Compton::Turns : Compton::Absorbs;
    pair_.cut = comptonCut(leastUseful(pair_.readout));
}

}  // namespace tof
