// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/lutetium.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/simulate/random_stream.h"
#include "recon/simulate/slices.h"

namespace tof {

namespace {

constexpr double kEndpoint_keV = 593;
constexpr double kFineStructure = 1 / 137.036;
constexpr int kHafnium = 72;

/// A photon of the cascade and the share of decays that have it; else an electron has its energy.
struct Line {
    double keV;
    double share;
};
constexpr std::array<Line, 3> kLines{{{306.8, 0.936}, {201.8, 0.780}, {88.3, 0.145}}};

/// Counters of these decays lie beyond those of any slice's annihilations.
constexpr std::uint64_t kFirstCounter = std::uint64_t{1} << 63U;
constexpr std::uint64_t kCountersPerSlice = std::uint64_t{1} << 24U;

/// The spectrum of an allowed transition, unnormalised, with the Coulomb factor of a point nucleus and its
/// relativistic part by Bethe and Bacher (Rev. Mod. Phys. 8 (1936) 82).
double betaSpectrum(double keV) {
    const double energy = keV + kElectron_keV;
    const double momentum = std::sqrt(keV * (keV + 2 * kElectron_keV));
    const double left = kEndpoint_keV - keV;
    const double pull = 2 * kPi * kFineStructure * kHafnium * energy / momentum;
    const double charge2 = std::pow(kFineStructure * kHafnium, 2);
    const double relative = energy / kElectron_keV;
    const double relativistic =
        std::pow(relative * relative * (1 + 4 * charge2) - 1, std::sqrt(1 - charge2) - 1);
    return momentum * energy * left * left * pull / -std::expm1(-pull) * relativistic;
}

/// Where a straight way from outside of the inner radius has just come within it, mm; negative: nowhere, or
/// along a chord so short that rounding would not tell inside from outside.
Real toBore(const CrystalView& view, const Photon& photon) {
    const Real3& d = photon.direction;
    const Real a = d.x * d.x + d.y * d.y;
    const Real b = photon.at.x * d.x + photon.at.y * d.y;
    const Real c = photon.at.x * photon.at.x + photon.at.y * photon.at.y - view.inner * view.inner;
    const Real reach2 = b * b - a * c;
    constexpr Real kShortest_mm = 5;
    constexpr Real kInside_mm = 0.05F;
    return a > 0 && b < 0 && c > 0 && reach2 > kShortest_mm * kShortest_mm * a * a
               ? (-b - std::sqrt(reach2)) / a + kInside_mm
               : Real{-1};
}

}  // namespace

double lutetiumPerCm3(Material material) {
    constexpr double kAvogadro = 6.02214e23;
    constexpr double kShare = 0.02599;
    constexpr double kSecondsPerYear = 3.15576e7;
    constexpr double kPerSecond = 0.693147 / (3.76e10 * kSecondsPerYear);
    // Lu2SiO5 of 7.4 g/cm3 and Lu1.8Y0.2SiO5 of 7.1, the densities of the tables of coefficients.
    constexpr double kLso = 7.4 * 2 / 458.0;
    constexpr double kLyso = 7.1 * 1.8 / 440.8;
    const double perCm3 = material == Material::Lso ? kLso : material == Material::Lyso ? kLyso : 0;
    return perCm3 * kAvogadro * kShare * kPerSecond;
}

LutetiumDecays::LutetiumDecays(const Scanner& scanner, const PairModel& model, std::uint64_t seed,
                               double length_ps)
    : model_(model),
      seed_(seed),
      length_ps_(length_ps),
      sigma_ps_(scanner.timing_fwhm_ps / kFwhmPerSigma / std::sqrt(2.0)) {
    constexpr double kMm3PerCm3 = 1000;
    const auto& size = scanner.crystalSize_mm;
    perSecond_ = lutetiumPerCm3(scanner.detection->material) * size[0] * size[1] * size[2] / kMm3PerCm3 *
                 static_cast<double>(scanner.crystals.size());
    betaUpTo_.assign(1, 0.0);
    for (int keV = 0; keV < static_cast<int>(kEndpoint_keV); ++keV) {
        betaUpTo_.push_back(betaUpTo_.back() + betaSpectrum(keV + 0.5));
    }
    for (double& share : betaUpTo_) {
        share /= betaUpTo_.back();
    }
}

double LutetiumDecays::beta_keV(double share) const {
    const auto above = std::upper_bound(betaUpTo_.begin() + 1, betaUpTo_.end() - 1, share);
    const auto below = above - 1;
    return static_cast<double>(below - betaUpTo_.begin()) + (share - *below) / (*above - *below);
}

void LutetiumDecays::follow(Photon photon, RandomStream& random, CrystalDeposits& deposits) const {
    const PairPhysics& physics = model_.physics();
    const ComptonCut all;
    CrystalWay way;
    way.reach = enterCrystals(physics.crystals, photon);
    while (way.reach > 0) {
        const Real inward = toBore(physics.crystals, photon);
        const Real flown = photon.path_mm;
        const bool crosses = inward >= 0 && inward < way.reach;
        way.reach = crosses ? inward : way.reach;
        stepInCrystals(physics.crystals, photon, way, physics.crystalCompton, random, deposits);
        if (crosses && way.reach > 0) {
            way.reach = enterCrystals(physics.crystals, photon);  // it was told of the way to the bore alone
        }
        if (!crosses || photon.path_mm != flown) {
            continue;
        }
        photon.at = photon.at + inward * photon.direction;
        photon.path_mm += inward;
        FlightEnd end = FlightEnd::Scattered;
        while (end == FlightEnd::Scattered) {
            end = flyInPhantom(physics.medium, photon, physics.compton, PhotonAim::Crystals, all, random);
        }
        way.reach = end == FlightEnd::Escaped ? enterCrystals(physics.crystals, photon) : Real{0};
    }
}

CrystalDeposits LutetiumDecays::decay(RandomStream& random) const {
    const CrystalView& crystals = model_.physics().crystals;
    const auto all = static_cast<double>(model_.crystals().idCount());
    const auto cell = static_cast<std::uint32_t>(random.uniform() * all);
    const CrystalModule* const end = crystals.modules + model_.crystals().moduleCount();
    const CrystalModule* const module =
        std::upper_bound(crystals.modules, end, cell,
                         [](std::uint32_t id, const CrystalModule& one) { return id < one.firstId; }) -
        1;
    const auto place = static_cast<std::int32_t>(cell - module->firstId);
    const CrystalPlace at{static_cast<std::int32_t>(module - crystals.modules), place % module->count[0],
                          place / module->count[0]};
    constexpr Real kHalf = 0.5;
    const auto along = [&](std::size_t axis, std::int32_t index) {
        return module->low[axis] + (static_cast<Real>(index) + kHalf) * module->pitch[axis] +
               (drawReal(random) - kHalf) * module->crystal[axis];
    };
    const Real across = along(0, at.column);
    const Real height = along(1, at.row);
    Photon photon;
    photon.at = module->centre + across * module->transaxial + height * module->axial +
                drawReal(random) * module->crystal[2] * module->outward;
    double stays = beta_keV(random.uniform());
    std::array<bool, kLines.size()> flies{};
    for (std::size_t i = 0; i < kLines.size(); ++i) {
        flies[i] = random.uniform() < kLines[i].share;
        stays += flies[i] ? 0 : kLines[i].keV;
    }
    CrystalDeposits deposits;
    deposits.add(crystals, at, static_cast<Real>(stays), 0);
    for (std::size_t i = 0; i < kLines.size(); ++i) {
        if (flies[i]) {
            photon.energy_keV = static_cast<Real>(kLines[i].keV);
            photon.direction = drawUnit(random);
            follow(photon, random, deposits);
        }
    }
    return deposits;
}

void LutetiumDecays::add(std::uint64_t index, std::vector<TimedPhoton>& photons) const {
    constexpr double kPsPerSecond = 1e12;
    const std::uint64_t first = kFirstCounter + index * kCountersPerSlice;
    const Readout& readout = model_.physics().readout;
    RandomStream times(seed_, RandomUse::Photons, first);
    const double gap_ps = kPsPerSecond / perSecond_;
    std::uint32_t number = 0;
    for (double time = gap_ps * times.exponential(); time < length_ps_;
         time += gap_ps * times.exponential()) {
        RandomStream random(seed_, RandomUse::Photons, first + 1 + number);
        const CrystalDeposits deposits = decay(random);
        for (std::int32_t i = 0; i < deposits.count; ++i) {
            Single single;
            const bool inWindow = readBlock(model_.physics().crystals, readout, deposits[i], random, single);
            if (!inWindow && (!readout.everyBlock || single.energy_keV < readout.trigger_keV)) {
                continue;
            }
            TimedPhoton& timed = photons.emplace_back();
            const double at =
                time + static_cast<double>(single.path_mm) / (2 * kMmPerPs) + sigma_ps_ * random.normal();
            timed.time_ps = at - length_ps_ * std::floor(at / length_ps_);
            timed.group = single.group;
            timed.crystal = single.crystal;
            timed.decay = static_cast<std::uint32_t>(kDecaysPerSlice) + number;
            timed.energy_keV = single.energy_keV;
            timed.inWindow = inWindow;
            timed.part = true;
            timed.unrecorded = single.unrecorded;
        }
        ++number;
    }
}

}  // namespace tof
