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
#include "recon/simulate/share_counts.h"
#include "recon/simulate/surrounding_solids.h"

namespace tof {

namespace {

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

/// Photons of 511 keV from around the axis, each followed to where it interacts first and to where it is
/// recorded.
class FollowedPhotons {
  public:
    FollowedPhotons(const Scanner& scanner, const Detector& detector)
        : scanner_(scanner),
          size_(detector.modules().front().count),
          places_(placesInModules(scanner, detector)),
          crystals_(scanner, detector),
          covers_(air_, tubesAround(scanner, Physics())) {
        first_.crystals = crystals_.view();
        recorded_.crystals = crystals_.view();
        recorded_.readout = readoutOf(*scanner.detection, Physics());
        recorded_.crystalCompton = Compton::Turns;
        for (std::uint32_t c = 0; c < scanner.crystals.size(); ++c) {
            low_ = std::min(low_, scanner.reference(c).z);
            high_ = std::max(high_, scanner.reference(c).z);
        }
    }

    [[nodiscard]] const std::vector<std::array<int, 2>>& places() const { return places_; }

    /// Counts of the photons [begin, end).
    [[nodiscard]] ShareCounts counts(std::uint64_t begin, std::uint64_t end) const {
        ShareCounts counts(size_);
        for (std::uint64_t i = begin; i < end; ++i) {
            RandomStream random(0, RandomUse::Photons, i);
            Photon photon = started(random);
            Photon again = photon;
            Single single;
            if (detect(first_, again, random, single) == PhotonFate::Recorded) {
                counts.count(ShareCounts::Kind::First, places_[single.crystal]);
            }
            if (passes(covers_.view(), photon, random) &&
                detect(recorded_, photon, random, single) == PhotonFate::Recorded) {
                counts.count(ShareCounts::Kind::Recorded, places_[single.crystal]);
            }
        }
        return counts;
    }

    /// counts(begin, end) by all threads.
    [[nodiscard]] ShareCounts counts(std::uint64_t begin, std::uint64_t end, const ThreadPool& pool) const {
        constexpr std::size_t kGrain = 16384;
        ShareCounts all(size_);
        std::mutex mutex;
        pool.forRange(end - begin, kGrain, [&](std::size_t from, std::size_t to) {
            const ShareCounts part = counts(begin + from, begin + to);
            const std::lock_guard lock(mutex);
            all.add(part);
        });
        return all;
    }

  private:
    [[nodiscard]] Photon started(RandomStream& random) const {
        const double sine = std::sin(scanner_.acceptance_rad) * (2 * random.uniform() - 1);
        const double cosine = std::sqrt(1 - sine * sine);
        const double azimuth = 2 * kPi * random.uniform();
        const double r = 0.5 * scanner_.fovRadius_mm * std::sqrt(random.uniform());
        const double turn = 2 * kPi * random.uniform();
        Photon photon;
        photon.direction = Vec3{cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
        photon.at = Vec3{r * std::cos(turn), r * std::sin(turn), low_ + (high_ - low_) * random.uniform()};
        return photon;
    }

    const Scanner& scanner_;
    std::array<int, 2> size_;
    std::vector<std::array<int, 2>> places_;
    CrystalMedium crystals_;
    Phantom air_;
    PhantomMedium covers_;
    PairPhysics first_;
    PairPhysics recorded_;
    double low_ = std::numeric_limits<double>::infinity();
    double high_ = -std::numeric_limits<double>::infinity();
};

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
    constexpr std::uint64_t kFirst = 8192;
    const FollowedPhotons photons(scanner, detector);
    const ShareCounts first = photons.counts(0, kFirst);
    const ShareCounts all = storedShareCounts(scanner.toJson(), first, [&] {
        ShareCounts counts = photons.counts(kFirst, kPhotons, pool);
        counts.add(first);
        return counts;
    });
    const auto ends = [&](std::size_t axis) {
        const int block = scanner.detection->block[axis];
        return block == 0 || count[axis] % block == 0 ? ShareCounts::Ends::Alike : ShareCounts::Ends::Unlike;
    };
    const auto interacted = static_cast<double>(all.all(ShareCounts::Kind::First));
    shares.mean =
        interacted > 0 ? static_cast<double>(all.all(ShareCounts::Kind::Recorded)) / interacted : 1.0;
    shares.columns = all.shares(0, ends(0));
    shares.rows = all.shares(1, ends(1));
    shares.ofCrystal.reserve(photons.places().size());
    for (const auto& [column, row] : photons.places()) {
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
