// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/recorded_share.h"

#include <cmath>

#include "recon/base/constants.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/random_stream.h"

namespace tof {

double recordedShare(const Scanner& scanner, const Detector& detector) {
    if (!scanner.detection) {
        return 1;
    }
    constexpr std::uint64_t kPhotons = std::uint64_t{1} << 15U;
    const CrystalMedium crystals(scanner, detector);
    PairPhysics physics;
    physics.crystals = crystals.view();
    physics.readout = readoutOf(*scanner.detection, Physics());
    physics.crystalScatter = true;
    double interacted = 0;
    double recorded = 0;
    for (std::uint64_t i = 0; i < kPhotons; ++i) {
        RandomStream random(0, RandomUse::Photons, i);
        const double sine = std::sin(scanner.acceptance_rad) * (2 * random.uniform() - 1);
        const double cosine = std::sqrt(1 - sine * sine);
        const double azimuth = 2 * kPi * random.uniform();
        Photon photon;
        photon.direction = Vec3{cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
        Single single;
        const PhotonFate fate = detect(physics, photon, random, single);
        interacted += fate != PhotonFate::Missed ? 1 : 0;
        recorded += fate == PhotonFate::Recorded ? 1 : 0;
    }
    return interacted > 0 ? recorded / interacted : 1;
}

}  // namespace tof
