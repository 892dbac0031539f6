// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/point_spread.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/panel_geometry.h"
#include "recon/simulate/monte_carlo.h"

namespace tof {

namespace {

constexpr std::size_t kDistances = 7;
constexpr std::size_t kPoints = 12;     ///< at each distance
constexpr std::uint64_t kPairs = 2000;  ///< from each point
constexpr double kFarthest_mm = 40;     ///< from its point a line says nothing of it
constexpr int kFitRounds = 60;

/// How far a line passes a point, mm, and how it lies to the point's radius.
struct Passing {
    double across = 0;  ///< in the transverse plane
    double axial = 0;
    double sine2 = 0;  ///< squared, of the angle between line and radius
};

/// A mixture of two Gaussians around 0, of which the wide one is `ratio` times as wide.
struct Mixture {
    double ratio = 2;
    double share = 0.3;

    /// How likely a value is the wide one's.
    [[nodiscard]] double isWide(double squared, double variance) const {
        const double ratio2 = ratio * ratio;
        const double narrow = (1 - share) * std::exp(-0.5 * squared / variance);
        const double wide = share * std::exp(-0.5 * squared / (variance * ratio2)) / ratio;
        return narrow + wide > 0 ? wide / (narrow + wide) : 1;
    }
    /// A value's square, as the narrow one would have it.
    [[nodiscard]] double narrowed(double squared, double variance) const {
        const double wide = isWide(squared, variance);
        return squared * (1 - wide + wide / (ratio * ratio));
    }
};

double meanSquare(const std::vector<Passing>& all, double Passing::*which) {
    double sum = 0;
    for (const Passing& one : all) {
        sum += one.*which * one.*which;
    }
    return sum / static_cast<double>(all.size());
}

/// Share and ratio of the wide Gaussian at the axis, where no direction differs from another, by expectation
/// and maximisation.
Mixture mixtureOf(const std::vector<Passing>& centre) {
    Mixture found;
    std::array<double, 2> variance{0.5 * meanSquare(centre, &Passing::across),
                                   0.5 * meanSquare(centre, &Passing::axial)};
    for (int round = 0; round < kFitRounds; ++round) {
        double wide = 0;
        double wideSquares = 0;  // over the narrow variance
        std::array<double, 2> narrow{};
        std::array<double, 2> narrowSquares{};
        for (const Passing& one : centre) {
            const std::array<double, 2> squared{one.across * one.across, one.axial * one.axial};
            for (std::size_t k = 0; k < 2; ++k) {
                const double isWide = found.isWide(squared[k], variance[k]);
                wide += isWide;
                wideSquares += isWide * squared[k] / variance[k];
                narrow[k] += 1 - isWide;
                narrowSquares[k] += (1 - isWide) * squared[k];
            }
        }
        variance = {narrowSquares[0] / narrow[0], narrowSquares[1] / narrow[1]};
        found.share = wide / (2 * static_cast<double>(centre.size()));
        found.ratio = wide > 0 ? std::max(1.0, std::sqrt(wideSquares / wide)) : 1;
    }
    return found;
}

/// Widths at a distance: across, variances are radial sin^2 + tangential cos^2, by least squares over the
/// directions, each weighed as a square of that variance is sure.
PointSpread::Widths widthsOf(const std::vector<Passing>& all, const Mixture& mixture) {
    double radial = 0.5 * meanSquare(all, &Passing::across);
    double tangential = radial;
    double axial = 0.5 * meanSquare(all, &Passing::axial);
    for (int round = 0; round < kFitRounds; ++round) {
        std::array<double, 3> normal{};  // of sin^4, sin^2 cos^2, cos^4
        std::array<double, 2> right{};
        double axialSquares = 0;
        for (const Passing& one : all) {
            const double variance = radial * one.sine2 + tangential * (1 - one.sine2);
            const double weight = 1 / (variance * variance);
            const double square = mixture.narrowed(one.across * one.across, variance);
            normal[0] += weight * one.sine2 * one.sine2;
            normal[1] += weight * one.sine2 * (1 - one.sine2);
            normal[2] += weight * (1 - one.sine2) * (1 - one.sine2);
            right[0] += weight * one.sine2 * square;
            right[1] += weight * (1 - one.sine2) * square;
            axialSquares += mixture.narrowed(one.axial * one.axial, axial);
        }
        const double determinant = normal[0] * normal[2] - normal[1] * normal[1];
        const double least = 1e-3 * std::max(radial, tangential);
        radial = std::max(least, (right[0] * normal[2] - right[1] * normal[1]) / determinant);
        tangential = std::max(least, (right[1] * normal[0] - right[0] * normal[1]) / determinant);
        axial = axialSquares / static_cast<double>(all.size());
    }
    return {std::sqrt(radial), std::sqrt(tangential), std::sqrt(axial)};
}

/// How the line between two crystals passes a point.
Passing passing(Vec3 point, Vec3 one, Vec3 two) {
    const Vec3 line = two - one;
    const double across = std::hypot(line.x, line.y);
    const Vec3 r{-line.y / across, line.x / across, 0};
    const Vec3 a = cross((1 / norm(line)) * line, r);
    const Vec3 off = one - point;
    const double radius = std::hypot(point.x, point.y);
    const double sine = radius > 0 ? (r.x * point.x + r.y * point.y) / radius : r.x;
    return {dot(off, r), dot(off, a), sine * sine};
}

class PointsOf {
  public:
    PointsOf(const Scanner& scanner, const ThreadPool& pool, const std::function<void(double)>& progress)
        : scanner_(scanner), pool_(pool), progress_(progress) {
        if (scanner.detection) {
            Physics physics = Physics::of(scanner);
            physics.leaveOutRates();
            physics.scatter = false;
            settings_.physics = physics;
        }
        settings_.events = kPairs;
    }

    /// Pairs of points at a distance from the axis, near the middle of the scanner.
    [[nodiscard]] std::vector<Passing> at(double radius_mm) {
        constexpr double kGolden = 0.6180339887498949;  // places spread evenly however many there are
        constexpr double kSilver = 0.4142135623730950;
        std::vector<Passing> all;
        all.reserve(kPoints * kPairs);
        for (std::size_t k = 0; k < kPoints; ++k) {
            const auto share = [k](double step) {
                return std::fmod((static_cast<double>(k) + 0.5) * step, 1);
            };
            const double azimuth = 2 * kPi * share(kGolden);
            const double radius = radius_mm + scanner_.crystalSize_mm[0] * (share(kSilver) - 0.5);
            const double z = scanner_.crystalSize_mm[1] * (share(kGolden * kSilver) - 0.5);
            follow({radius * std::cos(azimuth), radius * std::sin(azimuth), z}, all);
        }
        if (2 * all.size() < kPoints * kPairs) {
            throw WrongUse(
                "most lines of scanner '{}' pass more than {:g} mm from where their pairs were emitted; "
                "leave "
                "psf-model at even",
                scanner_.name, kFarthest_mm);
        }
        return all;
    }

  private:
    void follow(Vec3 point, std::vector<Passing>& all) {
        PhantomShape source;
        source.kind = PhantomShape::Kind::Point;
        source.name = "point";
        source.centre = point;
        source.activity = 1;
        Phantom phantom;
        phantom.name = "point";
        phantom.shapes.push_back(source);
        if (progress_) {
            progress_(static_cast<double>(settings_.seed - 1) / (kDistances * kPoints));
        }
        ++settings_.seed;
        const EventList events = simulate(scanner_, phantom, settings_, pool_, {});
        for (const auto& [one, two] : events.crystals) {
            const Passing found = passing(point, scanner_.reference(one), scanner_.reference(two));
            if (std::abs(found.across) < kFarthest_mm && std::abs(found.axial) < kFarthest_mm) {
                all.push_back(found);
            }
        }
    }

    const Scanner& scanner_;
    const ThreadPool& pool_;
    const std::function<void(double)>& progress_;
    SimulationSettings settings_;
};

}  // namespace

PointSpread::Widths PointSpread::widths(double radius_mm) const {
    const double place = std::clamp(radius_mm / step_mm, 0.0, static_cast<double>(at.size() - 1));
    const auto below = std::min(static_cast<std::size_t>(place), at.size() - 2);
    const double part = place - static_cast<double>(below);
    const auto between = [&](double Widths::*width) {
        const double a = at[below].*width;
        const double b = at[below + 1].*width;
        return std::sqrt((1 - part) * a * a + part * b * b);
    };
    return {between(&Widths::radial_mm), between(&Widths::tangential_mm), between(&Widths::axial_mm)};
}

PointSpread PointSpread::widened(double sigma_mm) const {
    PointSpread wider = *this;
    for (Widths& w : wider.at) {
        w = {std::hypot(w.radial_mm, sigma_mm), std::hypot(w.tangential_mm, sigma_mm),
             std::hypot(w.axial_mm, sigma_mm)};
    }
    return wider;
}

PointSpread pointSpreadOf(const Scanner& scanner, const ThreadPool& pool,
                          const std::function<void(double)>& progress) {
    if (PanelGeometry::of(scanner)) {
        throw WrongUse(
            "'{}' is two panels, around which a point's lines do not come from all directions; leave "
            "psf-model "
            "at even",
            scanner.name);
    }
    PointsOf points(scanner, pool, progress);
    const std::vector<Passing> centre = points.at(0);
    const Mixture mixture = mixtureOf(centre);
    PointSpread spread;
    spread.tailShare = mixture.share;
    spread.tailWidth = mixture.ratio;
    // Points on the field's edge lie beyond it by half a crystal's jitter, where nothing is recorded.
    const double farthest =
        std::max(scanner.fovRadius_mm - scanner.crystalSize_mm[0], 0.5 * scanner.fovRadius_mm);
    spread.step_mm = farthest / static_cast<double>(kDistances - 1);
    for (std::size_t i = 0; i < kDistances; ++i) {
        const std::vector<Passing> passings =
            i == 0 ? centre : points.at(spread.step_mm * static_cast<double>(i));
        spread.at.push_back(widthsOf(passings, mixture));
    }
    // At the axis there is no radius.
    PointSpread::Widths& axis = spread.at.front();
    axis.radial_mm = axis.tangential_mm = std::hypot(axis.radial_mm, axis.tangential_mm) / std::sqrt(2.0);
    return spread;
}

}  // namespace tof
