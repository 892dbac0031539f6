// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/crystal_response.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/face_spread.h"
#include "recon/binning/interaction_points.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr std::uint64_t kPairs = 5000;  ///< recorded, of one distance
constexpr std::uint64_t kMostStarted = 1'000'000;
constexpr std::size_t kDistances = 6;
constexpr double kFarthest_mm = 40;  ///< from its line an event says nothing of the line
constexpr int kRounds = 60;

/// Distances of events from where their pairs were emitted, mm.
struct Distances {
    std::vector<double> across;
    std::vector<double> axial;
    std::vector<double> along;  ///< by the photons' flights alone
};

/// A mixture of two Gaussians around 0.
struct Mixture {
    double narrow = 1;
    double ratio = 2;
    double share = 0.3;  ///< share of the wide one
};

/// Improves a mixture by expectation and maximisation; share and ratio stay where `widthAlone`.
Mixture fitted(const std::vector<double>& values, Mixture start, bool widthAlone) {
    Mixture found = start;
    for (int round = 0; round < kRounds; ++round) {
        double wide = 0;
        double narrowSquares = 0;
        double wideSquares = 0;
        const double wideWidth = found.ratio * found.narrow;
        for (const double v : values) {
            const auto density = [v](double sigma) {
                return std::exp(-0.5 * v * v / (sigma * sigma)) / sigma;
            };
            const double a = (1 - found.share) * density(found.narrow);
            const double b = found.share * density(wideWidth);
            const double isWide = a + b > 0 ? b / (a + b) : 1;
            wide += isWide;
            wideSquares += isWide * v * v;
            narrowSquares += (1 - isWide) * v * v;
        }
        const auto n = static_cast<double>(values.size());
        if (widthAlone) {
            found.narrow = std::sqrt((narrowSquares + wideSquares / (found.ratio * found.ratio)) / n);
        } else {
            found.narrow = std::sqrt(narrowSquares / (n - wide));
            found.ratio = std::sqrt(wideSquares / wide) / found.narrow;
            found.share = wide / n;
        }
    }
    return found;
}

class PairsOnLines {
  public:
    explicit PairsOnLines(const Scanner& scanner)
        : scanner_(scanner),
          detector_(scanner),
          crystals_(scanner, detector_),
          places_(scanner, ThreadPool(1)),
          faces_(scanner, EndPoints::Face, 1) {
        physics_.crystals = crystals_.view();
        physics_.readout = readoutOf(*scanner.detection, Physics());
        physics_.range = isotopeNamed("F-18").range;
        physics_.crystalCompton = Compton::Turns;
        steepest_ = std::min(std::sin(scanner.acceptance_rad),
                             0.7 * static_cast<double>(physics_.crystals.zHigh) / detector_.innerRadius());
    }

    /// The distances of pairs emitted `s` from the axis, along lines that pass it there.
    [[nodiscard]] Distances at(double s) const {
        Distances found;
        for (std::uint64_t i = 0; i < kMostStarted && found.across.size() < kPairs; ++i) {
            RandomStream random(static_cast<std::uint64_t>(s), RandomUse::Photons, i);
            follow(s, i, random, found);
        }
        if (found.across.size() < kPairs) {
            throw WrongUse("scanner '{}' records next to none of the pairs {:.0f} mm from its axis",
                           scanner_.name, s);
        }
        return found;
    }

  private:
    void follow(double s, std::uint64_t pair, RandomStream& random, Distances& found) const {
        const double sine = steepest_ * (2 * random.uniform() - 1);
        const double cosine = std::sqrt(1 - sine * sine);
        const double azimuth = 2 * kPi * random.uniform();
        const Vec3 u{cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
        const Vec3 r{-std::sin(azimuth), std::cos(azimuth), 0};
        const Vec3 emitted = s * r;
        Photon first;
        first.at = Real3(emitted) + drawRange(physics_.range, random);
        first.direction = u;
        Photon second = first;
        second.direction = drawOpposite(first.direction, random);
        Single one;
        Single two;
        if (detect(physics_, first, random, one) != PhotonFate::Recorded ||
            detect(physics_, second, random, two) != PhotonFate::Recorded) {
            return;
        }
        const Vec3 between = scanner_.reference(two.crystal) - scanner_.reference(one.crystal);
        const auto moved = faces_.offsets(pair, one.crystal, two.crystal);
        const Vec3 line = between + moved[1] - moved[0];
        const double towards2 = 0.5 * static_cast<double>(one.path_mm - two.path_mm);
        const Vec3 middle = 0.5 * (places_.at(one.crystal, -between) + moved[0] +
                                   places_.at(two.crystal, between) + moved[1]);
        const Vec3 off = middle + (towards2 / norm(line)) * line - emitted;
        const Vec3 a = cross(u, r);
        if (std::abs(dot(off, r)) < kFarthest_mm && std::abs(dot(off, a)) < kFarthest_mm) {
            found.across.push_back(dot(off, r));
            found.axial.push_back(dot(off, a));
            found.along.push_back(dot(off, u));
        }
    }

    const Scanner& scanner_;
    Detector detector_;
    CrystalMedium crystals_;
    InteractionPoints places_;
    FaceSpread faces_;
    PairPhysics physics_;
    double steepest_ = 0;
};

}  // namespace

LineResponse responseOfCrystals(const Scanner& scanner) {
    const PairsOnLines pairs(scanner);
    const Distances centre = pairs.at(0);
    std::vector<double> both = centre.across;
    both.insert(both.end(), centre.axial.begin(), centre.axial.end());
    Mixture start;
    double squares = 0;
    for (const double v : both) {
        squares += v * v;
    }
    start.narrow = 0.7 * std::sqrt(squares / static_cast<double>(both.size()));
    const Mixture shape = fitted(both, start, false);
    std::array<double, kDistances> widths{};
    const double step = scanner.fovRadius_mm / static_cast<double>(kDistances - 1);
    for (std::size_t i = 0; i < kDistances; ++i) {
        const double s = step * static_cast<double>(i);
        widths[i] = fitted((i == 0 ? centre : pairs.at(s)).across, shape, true).narrow;
    }
    LineResponse response;
    response.tailShare = shape.share;
    response.tailWidth = shape.ratio;
    response.axial = fitted(centre.axial, shape, true).narrow;
    double flights = 0;
    for (const double v : centre.along) {
        flights += v * v;
    }
    const double time = scanner.timing_fwhm_ps / kFwhmPerSigma * kMmPerPs;
    response.along = std::sqrt(time * time + flights / static_cast<double>(centre.along.size()));
    response.radial = [widths, step](double s) {
        const double at = std::clamp(s / step, 0.0, static_cast<double>(kDistances - 1));
        const auto i = std::min(static_cast<std::size_t>(at), kDistances - 2);
        const double part = at - static_cast<double>(i);
        return (1 - part) * widths[i] + part * widths[i + 1];
    };
    return response;
}

}  // namespace tof
