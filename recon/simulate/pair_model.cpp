// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/pair_model.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"

namespace tof {

Readout readoutOf(const Detection& detection, const Physics& physics) {
    Readout readout;
    if (physics.energy) {
        readout.sigmaOf511 = detection.resolution * kElectron_keV / kFwhmPerSigma;
        readout.low_keV = detection.window_keV[0];
        readout.high_keV = detection.window_keV[1];
        readout.efficiency = detection.efficiency;
    }
    if (physics.position) {
        readout.position = detection.position;
        readout.positionSigma_mm = detection.positionFwhm_mm / kFwhmPerSigma;
    }
    return readout;
}

namespace {

/// A photon of less energy is measured above the window's lower end once in 30,000 at most.
double leastUseful(const Readout& readout) {
    constexpr double kSigmas = 4;
    double least = readout.low_keV;
    for (int i = 0; i < 20; ++i) {  // the width goes with the energy sought
        least =
            readout.low_keV - kSigmas * readout.sigmaOf511 * std::sqrt(std::max(least, 0.0) / kElectron_keV);
    }
    return std::max(least, kLeastInCrystal_keV);
}

}  // namespace

PairModel::PairModel(const Scanner& scanner, const Phantom& phantom, const Physics& physics)
    : detector_(scanner),
      emission_(phantom),
      medium_(phantom),
      crystals_(scanner, detector_),
      points_(referencePoints(scanner)),
      sinAcceptance_(std::sin(scanner.acceptance_rad)),
      fovRadius_(scanner.fovRadius_mm) {
    pair_.medium = medium_.view();
    pair_.crystals = crystals_.view();
    pair_.readout = readoutOf(*scanner.detection, physics);
    pair_.range = isotopeNamed(physics.isotope).range;
    pair_.moves = physics.range;
    pair_.acollinear = physics.acollinearity;
    pair_.scatter = physics.scatter;
    pair_.crystalScatter = physics.crystals;
    pair_.cut = comptonCut(leastUseful(pair_.readout));
}

bool PairModel::accepts(std::uint32_t crystal1, std::uint32_t crystal2) const {
    const Vec3& a = points_[crystal1];
    const Vec3 line = points_[crystal2] - a;
    const double across2 = line.x * line.x + line.y * line.y;
    const double moment = a.x * line.y - a.y * line.x;
    return line.z * line.z <= sinAcceptance_ * sinAcceptance_ * (across2 + line.z * line.z) &&
           moment * moment <= fovRadius_ * fovRadius_ * across2 && across2 > 0;
}

}  // namespace tof
