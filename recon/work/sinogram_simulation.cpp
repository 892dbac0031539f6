// SPDX-License-Identifier: Apache-2.0
#include "recon/work/sinogram_simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <span>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/phantom/attenuation.h"
#include "recon/simulate/poisson.h"
#include "recon/systems/lines/line_operator.h"

namespace tof {

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// A place and weight of the mean over a Gaussian, in its sigmas.
struct Node {
    double at;
    double weight;
};
// Gauss and Hermite's rules of five and three points (Abramowitz and Stegun, table 25.10).
constexpr std::array<Node, 5> kRadialNodes{{{-2.856970013872806, 0.011257411327720689},
                                            {-1.355626179974266, 0.22207592200561263},
                                            {0, 0.5333333333333333},
                                            {1.355626179974266, 0.22207592200561263},
                                            {2.856970013872806, 0.011257411327720689}}};
constexpr std::array<Node, 3> kAxialNodes{
    {{-1.7320508075688772, 1.0 / 6}, {0, 2.0 / 3}, {1.7320508075688772, 1.0 / 6}}};
constexpr std::array<Node, 1> kSharp{{{0, 1}}};

/// The phantom with activity in place of attenuation, whose line integrals are then those of the emission.
Phantom emissionAsAttenuation(Phantom phantom) {
    for (PhantomShape& shape : phantom.shapes) {
        shape.mu_per_mm = shape.activity;
    }
    phantom.attenuation = phantom.emission;
    return phantom;
}

/// Means over the lines of response of a scanner's bins.
class BinMeans {
  public:
    BinMeans(const Phantom& phantom, double blur_mm)
        : emission_(emissionAsAttenuation(phantom)), chords_(emission_), sigma_(blur_mm / kFwhmPerSigma) {
        for (const PhantomShape& shape : phantom.shapes) {
            if (shape.kind == PhantomShape::Kind::Point && shape.activity > 0) {
                points_.push_back(shape);
            }
        }
        if (!points_.empty() && !(sigma_ > 0)) {
            throw WrongUse("phantom '{}' has point sources, which lines without width miss; leave --blur out",
                           phantom.name);
        }
    }

    /// Sums along the line between two points, in the time bins of `tof`: sums[bin]; one without time of
    /// flight.
    void along(Vec3 one, Vec3 two, const RayTof& tof, std::span<double> sums) const {
        const Vec3 d = normalized(two - one);
        const Vec3 middle = 0.5 * (one + two);
        const Vec3 radial = (1 / std::hypot(d.x, d.y)) * Vec3{-d.y, d.x, 0};
        const Vec3 axial = cross(d, radial);
        const bool blurred = sigma_ > 0;
        std::fill(sums.begin(), sums.end(), 0.0);
        for (const PhantomShape& point : points_) {
            addPoint(point, middle, d, tof, sums);
        }
        for (const Node& r : blurred ? std::span<const Node>(kRadialNodes) : std::span<const Node>(kSharp)) {
            for (const Node& a :
                 blurred ? std::span<const Node>(kAxialNodes) : std::span<const Node>(kSharp)) {
                const Vec3 from = middle + sigma_ * r.at * radial + sigma_ * a.at * axial;
                addChords(from, d, r.weight * a.weight, tof, sums);
            }
        }
    }

  private:
    void addChords(Vec3 p, Vec3 d, double weight, const RayTof& tof, std::span<double> sums) const {
        if (tof.count == 0) {
            sums[0] += weight * chords_.along(p, d, kNoLimit);
            return;
        }
        for (const AttenuationPiece& piece : chords_.pieces(p, d)) {
            for (int k = 0; k < tof.count; ++k) {
                sums[static_cast<std::size_t>(k)] +=
                    weight * piece.mu_per_mm * timeShare(tof, k, piece.begin, piece.end);
            }
        }
    }

    /// A point source as the Gaussian in which the line sees it.
    void addPoint(const PhantomShape& point, Vec3 middle, Vec3 d, const RayTof& tof,
                  std::span<double> sums) const {
        const Vec3 q = point.centre - middle;
        const double along = dot(q, d);
        const double distance2 = dot(q, q) - along * along;
        const double seen =
            point.activity / (2 * kPi * sigma_ * sigma_) * std::exp(-0.5 * distance2 / (sigma_ * sigma_));
        for (std::size_t k = 0; k < sums.size(); ++k) {
            constexpr double kShort_mm = 1e-3;
            sums[k] += tof.count == 0 ? seen
                                      : seen / kShort_mm *
                                            timeShare(tof, static_cast<int>(k), along - 0.5 * kShort_mm,
                                                      along + 0.5 * kShort_mm);
        }
    }

    Phantom emission_;
    PairAttenuation chords_;
    double sigma_;
    std::vector<PhantomShape> points_;
};

/// Calls fill(one, two, values) for the line of every bin, `values` its time bins; results in data order.
template <typename Fill>
std::vector<float> ofBins(const Michelogram& m, const ThreadPool& pool,
                          const std::function<void(double)>& progress, const Fill& fill) {
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    std::vector<float> all(m.bins());
    std::mutex mutex;
    int done = 0;
    pool.forRange(static_cast<std::size_t>(m.angles()), 1, [&](std::size_t slot, std::size_t) {
        std::vector<double> values(timeBins);
        float* out = all.data() + slot * m.linesPerSlot() * timeBins;
        for (const Sinogram& plane : m.sinograms()) {
            for (int radial = 0; radial < m.radialBins(); ++radial) {
                const TransverseLine t = m.line(m.angleOfSlot(static_cast<int>(slot)), radial);
                fill(Vec3{t.x1, t.y1, plane.z1_mm}, Vec3{t.x2, t.y2, plane.z2_mm}, std::span<double>(values));
                out = std::transform(values.begin(), values.end(), out,
                                     [](double v) { return static_cast<float>(v); });
            }
        }
        const std::lock_guard lock(mutex);
        progress(static_cast<double>(++done) / m.angles());
    });
    return all;
}

}  // namespace

double lineBlur_mm(const RingScanner& scanner) {
    constexpr double kSharedLight_mm = 2.2;
    constexpr double kAcollinear = 0.0022;
    const double crystal = 2 * kPi * scanner.radius_mm / scanner.crystalsPerRing;
    return std::sqrt(0.25 * crystal * crystal + kSharedLight_mm * kSharedLight_mm +
                     std::pow(kAcollinear * 2 * scanner.radius_mm, 2));
}

SinogramData simulateSinograms(const SinogramSimulation& what, const Phantom& phantom, const ThreadPool& pool,
                               const std::function<void(double)>& progress) {
    SinogramData data;
    data.lattice = what.lattice;
    data.michelogram = std::make_shared<const Michelogram>(what.scanner);
    const Michelogram& m = *data.michelogram;
    data.phantom = phantom.description.empty() ? phantom.name : phantom.description;
    const BinMeans means(phantom, what.blur_mm.value_or(lineBlur_mm(m.scanner())));
    std::vector<float> expected = ofBins(
        m, pool, progress, [&, tof = rayTof(m.spec().tof)](Vec3 one, Vec3 two, std::span<double> values) {
            means.along(one, two, tof, values);
        });
    if (what.attenuate) {
        const PairAttenuation attenuation(phantom);
        data.mult = ofBins(
            m, pool, [](double) {},
            [&](Vec3 one, Vec3 two, std::span<double> values) {
                const double survive = std::exp(-attenuation.along(one, normalized(two - one), kNoLimit));
                std::fill(values.begin(), values.end(), survive);
            });
        std::transform(expected.begin(), expected.end(), data.mult.begin(), expected.begin(),
                       std::multiplies<>());
    }
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    if (!(sum > 0)) {
        throw WrongUse("phantom '{}' emits nothing that the scanner sees", phantom.name);
    }
    if (what.noiseFree) {
        std::transform(expected.begin(), expected.end(), expected.begin(), [&](float v) {
            return static_cast<float>(what.counts / sum * static_cast<double>(v));
        });
        data.counts = std::move(expected);
    } else {
        data.counts = poissonCounts(expected, what.counts / sum, what.seed, pool);
    }
    data.kept = static_cast<std::uint64_t>(
        std::llround(std::accumulate(data.counts.begin(), data.counts.end(), 0.0)));
    return data;
}

}  // namespace tof
