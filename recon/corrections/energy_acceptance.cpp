// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/energy_acceptance.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr std::size_t kEnergies = 13;
constexpr std::uint64_t kPhotons = std::uint64_t{1} << 14U;

double shareAt(const PairPhysics& physics, double acceptance_rad, double energy_keV) {
    double interacted = 0;
    double recorded = 0;
    for (std::uint64_t i = 0; i < kPhotons; ++i) {
        RandomStream random(0, RandomUse::Photons, i);  // photons are the same at every energy
        const double sine = std::sin(acceptance_rad) * (2 * random.uniform() - 1);
        const double cosine = std::sqrt(1 - sine * sine);
        const double azimuth = 2 * kPi * random.uniform();
        Photon photon;
        photon.direction = {static_cast<Real>(cosine * std::cos(azimuth)),
                            static_cast<Real>(cosine * std::sin(azimuth)), static_cast<Real>(sine)};
        photon.energy_keV = static_cast<Real>(energy_keV);
        Single single;
        const PhotonFate fate = detect(physics, photon, random, single);
        interacted += fate != PhotonFate::Missed ? 1 : 0;
        recorded += fate == PhotonFate::Recorded ? 1 : 0;
    }
    return interacted > 0 ? recorded / interacted : 0;
}

}  // namespace

EnergyAcceptance::EnergyAcceptance(const Scanner& scanner, const ThreadPool& pool) {
    if (!scanner.detection) {
        throw WrongUse(
            "scanner '{}' does not say how it detects (`detection`: energy resolution and window), so "
            "nothing "
            "is known of scatter",
            scanner.name);
    }
    const Detector detector(scanner);
    const CrystalMedium crystals(scanner, detector);
    PairPhysics physics;
    physics.crystals = crystals.view();
    physics.readout = readoutOf(*scanner.detection, Physics());
    physics.crystalCompton = Compton::Turns;
    const double sigma = physics.readout.sigmaOf511;
    least_ = std::clamp(physics.readout.low_keV - 3.5 * sigma, 60.0, 505.0);
    step_ = (kElectron_keV - least_) / static_cast<double>(kEnergies - 1);
    values_.resize(kEnergies);
    pool.forRange(kEnergies, 1, [&](std::size_t i, std::size_t) {
        values_[i] = shareAt(physics, scanner.acceptance_rad, least_ + static_cast<double>(i) * step_);
    });
    const double of511 = values_.back();
    for (double& value : values_) {
        value = of511 > 0 ? value / of511 : 0;
    }
}

double EnergyAcceptance::at(double energy_keV) const {
    const double place = (energy_keV - least_) / step_;
    if (!(place >= 0)) {
        return 0;
    }
    const auto below = std::min(static_cast<std::size_t>(place), values_.size() - 2);
    const double share = std::min(place - static_cast<double>(below), 1.0);
    return (1 - share) * values_[below] + share * values_[below + 1];
}

}  // namespace tof
