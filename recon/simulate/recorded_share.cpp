// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/recorded_share.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>

#include "recon/base/constants.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/random_stream.h"
#include "recon/simulate/surrounding_solids.h"

namespace tof {

namespace {

/// Counts by column and row of photons that interacted first there and of those that are recorded there.
struct Tally {
    std::array<std::array<std::vector<std::uint64_t>, 2>, 2> at;  ///< [first, recorded][column, row]
    std::array<std::uint64_t, 2> all{};

    explicit Tally(const std::array<int, 2>& count) {
        for (auto& kind : at) {
            for (std::size_t axis = 0; axis < 2; ++axis) {
                kind[axis].assign(static_cast<std::size_t>(count[axis]), 0);
            }
        }
    }
    void count(std::size_t kind, const std::array<int, 2>& place) {
        ++all[kind];
        for (std::size_t axis = 0; axis < 2; ++axis) {
            ++at[kind][axis][static_cast<std::size_t>(place[axis])];
        }
    }
    void add(const Tally& part) {
        for (std::size_t kind = 0; kind < 2; ++kind) {
            all[kind] += part.all[kind];
            for (std::size_t axis = 0; axis < 2; ++axis) {
                for (std::size_t i = 0; i < at[kind][axis].size(); ++i) {
                    at[kind][axis][i] += part.at[kind][axis][i];
                }
            }
        }
    }
    /// The shares along an axis, over the mean share.
    [[nodiscard]] std::vector<double> shares(std::size_t axis, bool mirrored) const {
        const std::size_t n = at[0][axis].size();
        std::vector<double> result(n, 1.0);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t other = mirrored ? n - 1 - i : i;
            const auto first = static_cast<double>(at[0][axis][i] + at[0][axis][other]);
            const auto recorded = static_cast<double>(at[1][axis][i] + at[1][axis][other]);
            if (first > 0 && all[1] > 0) {
                result[i] = recorded / first * static_cast<double>(all[0]) / static_cast<double>(all[1]);
            }
        }
        return result;
    }
};

/// Column and row of every crystal in its module.
std::vector<std::array<int, 2>> placesInModules(const Scanner& scanner, const Detector& detector) {
    std::vector<std::array<int, 2>> places(scanner.crystals.size());
    for (const DetectorModule& module : detector.modules()) {
        for (std::size_t i = 0; i < module.ids.size(); ++i) {
            places[module.ids[i]] = {static_cast<int>(i) % module.count[0],
                                     static_cast<int>(i) / module.count[0]};
        }
    }
    return places;
}

/// Whether covers and shields let a photon through as it is.
bool passes(const MediumView& covers, Photon& photon, RandomStream& random) {
    return flyInPhantom(covers, photon, Compton::Absorbs, PhotonAim::Crystals, ComptonCut(), random) ==
           FlightEnd::Escaped;
}

}  // namespace

RecordedShares recordedShares(const Scanner& scanner, const Detector& detector, const ThreadPool& pool) {
    RecordedShares shares;
    if (!scanner.detection) {
        return shares;
    }
    const std::array<int, 2> count = detector.modules().front().count;
    const bool alike = std::all_of(detector.modules().begin(), detector.modules().end(),
                                   [&](const DetectorModule& module) { return module.count == count; });
    if (!alike) {
        shares.mean = recordedShare(scanner, detector);
        shares.ofCrystal.assign(scanner.crystals.size(), shares.mean);
        return shares;
    }
    constexpr std::uint64_t kPhotons = std::uint64_t{1} << 21U;
    constexpr std::size_t kGrain = 16384;
    const CrystalMedium crystals(scanner, detector);
    PairPhysics recorded;
    recorded.crystals = crystals.view();
    recorded.readout = readoutOf(*scanner.detection, Physics());
    recorded.crystalCompton = Compton::Turns;
    const Phantom air;
    const PhantomMedium covers(air, tubesAround(scanner, Physics()));
    PairPhysics first;
    first.crystals = crystals.view();
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::uint32_t c = 0; c < scanner.crystals.size(); ++c) {
        low = std::min(low, scanner.reference(c).z);
        high = std::max(high, scanner.reference(c).z);
    }
    const std::vector<std::array<int, 2>> places = placesInModules(scanner, detector);
    Tally all(count);
    std::mutex mutex;
    pool.forRange(kPhotons, kGrain, [&](std::size_t begin, std::size_t end) {
        Tally part(count);
        for (std::size_t i = begin; i < end; ++i) {
            RandomStream random(0, RandomUse::Photons, i);
            const double sine = std::sin(scanner.acceptance_rad) * (2 * random.uniform() - 1);
            const double cosine = std::sqrt(1 - sine * sine);
            const double azimuth = 2 * kPi * random.uniform();
            const double r = 0.5 * scanner.fovRadius_mm * std::sqrt(random.uniform());
            const double turn = 2 * kPi * random.uniform();
            Photon photon;
            photon.direction = Vec3{cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
            photon.at = Vec3{r * std::cos(turn), r * std::sin(turn), low + (high - low) * random.uniform()};
            Photon again = photon;
            Single single;
            if (detect(first, again, random, single) == PhotonFate::Recorded) {
                part.count(0, places[single.crystal]);
            }
            if (passes(covers.view(), photon, random) &&
                detect(recorded, photon, random, single) == PhotonFate::Recorded) {
                part.count(1, places[single.crystal]);
            }
        }
        const std::lock_guard lock(mutex);
        all.add(part);
    });
    const auto whole = [&](std::size_t axis) {
        const int block = scanner.detection->block[axis];
        return block == 0 || count[axis] % block == 0;
    };
    shares.mean = all.all[0] > 0 ? static_cast<double>(all.all[1]) / static_cast<double>(all.all[0]) : 1.0;
    shares.columns = all.shares(0, whole(0));
    shares.rows = all.shares(1, whole(1));
    shares.ofCrystal.reserve(places.size());
    for (const auto& [column, row] : places) {
        shares.ofCrystal.push_back(shares.mean * shares.columns[static_cast<std::size_t>(column)] *
                                   shares.rows[static_cast<std::size_t>(row)]);
    }
    return shares;
}

double recordedShare(const Scanner& scanner, const Detector& detector) {
    if (!scanner.detection) {
        return 1;
    }
    constexpr std::uint64_t kPhotons = std::uint64_t{1} << 15U;
    const CrystalMedium crystals(scanner, detector);
    PairPhysics physics;
    physics.crystals = crystals.view();
    physics.readout = readoutOf(*scanner.detection, Physics());
    physics.crystalCompton = Compton::Turns;
    const Phantom air;
    const PhantomMedium covers(air, tubesAround(scanner, Physics()));
    double interacted = 0;
    double recorded = 0;
    for (std::uint64_t i = 0; i < kPhotons; ++i) {
        RandomStream random(0, RandomUse::Photons, i);
        const double sine = std::sin(scanner.acceptance_rad) * (2 * random.uniform() - 1);
        const double cosine = std::sqrt(1 - sine * sine);
        const double azimuth = 2 * kPi * random.uniform();
        Photon photon;
        photon.direction = Vec3{cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
        const Photon start = photon;
        Single single;
        const PhotonFate fate = detect(physics, photon, random, single);
        interacted += fate != PhotonFate::Missed ? 1 : 0;
        Photon outward = start;
        recorded += fate == PhotonFate::Recorded && passes(covers.view(), outward, random) ? 1 : 0;
    }
    return interacted > 0 ? recorded / interacted : 1;
}

}  // namespace tof
