// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/variant_blur.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"

namespace tof {

namespace {

constexpr double kCutAt = 3;  ///< sigmas
constexpr double kVarianceError = 0.01;
constexpr int kMostRounds = 40;
constexpr std::size_t kSpreadGrain = 256;
constexpr std::size_t kRows = 16;

using Tap = std::array<int, 2>;
/// Covariance xx, xy, yy in voxels squared.
using Covariance = std::array<double, 3>;

/// What following a line from plane to plane blurs by itself beyond the voxels, mm squared: across, along z.
std::array<double, 2> ownBlur(const Lattice& lattice, RayMethod method) {
    if (method == RayMethod::Siddon) {
        return {0, 0};
    }
    const auto squared = [&](std::size_t axis) {
        return lattice.spacing_mm[axis] * lattice.spacing_mm[axis];
    };
    return {0.5 * (squared(0) + squared(1)) / 12 * (2 / kPi), squared(2) / 12};
}

/// Offsets within a reach, (0, 0) first, and one of each two opposite ones.
std::vector<Tap> halfPlane(std::array<int, 2> reach) {
    std::vector<Tap> taps{{0, 0}};
    for (int x = 1; x <= reach[0]; ++x) {
        taps.push_back({x, 0});
    }
    for (int y = 1; y <= reach[1]; ++y) {
        for (int x = -reach[0]; x <= reach[0]; ++x) {
            taps.push_back({x, y});
        }
    }
    return taps;
}

/// The frequency, per voxel, at which weights are to blur as the Gaussian of a variance does: the highest one
/// that voxels carry, or the one that the Gaussian carries to 1/e.
double frequencyFor(double variance) {
    return std::min(0.5, 1 / (kPi * std::sqrt(2 * std::max(variance, 1e-6))));
}

/// The variance of the Gaussian that lets as much of a frequency through.
double varianceThatLets(double through, double frequency) {
    constexpr double kLeast = 1e-3;
    return -std::log(std::max(through, kLeast)) / (2 * kPi * kPi * frequency * frequency);
}

/// Weights at the taps, sum 1, whose opposite taps have the same.
class Weights {
  public:
    explicit Weights(const std::vector<Tap>& taps) : taps_(taps), values_(taps.size()) {}

    [[nodiscard]] double operator[](std::size_t tap) const { return values_[tap]; }

    /// A Gaussian at the taps.
    void sample(const Covariance& c) {
        const double determinant = c[0] * c[2] - c[1] * c[1];
        double sum = 0;
        for (std::size_t t = 0; t < taps_.size(); ++t) {
            const double x = taps_[t][0];
            const double y = taps_[t][1];
            values_[t] = std::exp(-0.5 * (c[2] * x * x - 2 * c[1] * x * y + c[0] * y * y) / determinant);
            sum += t == 0 ? values_[t] : 2 * values_[t];
        }
        for (double& value : values_) {
            value /= sum;
        }
    }

    /// The covariance of the Gaussian that blurs as much along x, along y and between them at a frequency.
    [[nodiscard]] Covariance covarianceAt(double frequency) const {
        const double xx = varianceThatLets(through(frequency, 0), frequency);
        const double yy = varianceThatLets(through(0, frequency), frequency);
        const double between = frequency / std::sqrt(2.0);
        return {xx, varianceThatLets(through(between, between), frequency) - 0.5 * (xx + yy), yy};
    }

  private:
    /// What is left of a wave with so many periods a voxel along x and y.
    [[nodiscard]] double through(double fx, double fy) const {
        double sum = values_[0];
        for (std::size_t t = 1; t < taps_.size(); ++t) {
            sum += 2 * values_[t] * std::cos(2 * kPi * (fx * taps_[t][0] + fy * taps_[t][1]));
        }
        return sum;
    }

    const std::vector<Tap>& taps_;
    std::vector<double> values_;
};

/// Makes weights that blur as a Gaussian does. Where voxels are coarse the samples of that Gaussian itself
/// miss its flanks, so that another one is sampled, which is moved until they do.
void fitWeights(const Covariance& wanted, Weights& weights) {
    // A Gaussian so narrow that its neighbours get nothing has no use and no inverse.
    constexpr double kNarrowest = 0.02;
    const double most = std::max(wanted[0], wanted[2]);
    const double frequency = frequencyFor(most);
    Covariance c{std::max(wanted[0], kNarrowest), wanted[1], std::max(wanted[2], kNarrowest)};
    for (int round = 0; round < kMostRounds; ++round) {
        weights.sample(c);
        const Covariance found = weights.covarianceAt(frequency);
        Covariance next = c;
        double worst = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            next[k] += wanted[k] - found[k];
            worst = std::max(worst, std::abs(wanted[k] - found[k]));
        }
        if (worst <= kVarianceError * most ||
            !(next[0] > 0 && next[2] > 0 && next[0] * next[2] > 1.0001 * next[1] * next[1])) {
            return;
        }
        c = next;
    }
}

/// Weights along one axis, from the middle on; sigma in voxels.
std::vector<double> axisWeights(double sigma, std::size_t most) {
    if (!(sigma > 0)) {
        return {1.0};
    }
    const double frequency = frequencyFor(sigma * sigma);
    std::vector<double> weights;
    double low = 0.5 * sigma;
    double high = sigma + 1;
    for (int round = 0; round < kMostRounds; ++round) {
        const double middle = 0.5 * (low + high);
        weights = sampledGaussian(middle, most);
        double sum = 1;
        double through = 1;
        for (std::size_t k = 1; k < weights.size(); ++k) {
            sum += 2 * weights[k];
            through += 2 * weights[k] * std::cos(2 * kPi * frequency * static_cast<double>(k));
        }
        for (double& weight : weights) {
            weight /= sum;
        }
        (varianceThatLets(through / sum, frequency) < sigma * sigma ? low : high) = middle;
    }
    return weights;
}

int reachOf(double variance, int size) {
    // One voxel at least carries the variance of a narrow one.
    return std::clamp(static_cast<int>(std::ceil(kCutAt * std::sqrt(variance))), 1, std::max(size - 1, 1));
}

/// What every voxel of a row sends to one `moved` voxels farther: to[i + moved] += weights[i] * from[i].
void send(const float* weights, const float* from, int moved, int width, float* to) {
    for (int i = std::max(0, -moved); i < std::min(width, width - moved); ++i) {
        to[i + moved] += weights[i] * from[i];
    }
}

/// What comes back of that: to[i] += weights[i] * from[i + moved].
void fetch(const float* weights, const float* from, int moved, int width, float* to) {
    for (int i = std::max(0, -moved); i < std::min(width, width - moved); ++i) {
        to[i] += weights[i] * from[i + moved];
    }
}

}  // namespace

VariantBlur::VariantBlur(const Lattice& lattice, const PointSpread& spread, RayMethod method,
                         const ThreadPool& pool)
    : lattice_(lattice), columns_(lattice.index(0, 0, 1)), tailShare_(static_cast<float>(spread.tailShare)) {
    const auto [ownAcross, ownAxial] = ownBlur(lattice, method);
    const auto [dx, dy, dz] = lattice.spacing_mm;
    std::vector<Covariance> covariances(columns_);
    std::vector<double> axial(columns_);
    double meanVariance = 0;
    for (std::size_t i = 0; i < columns_; ++i) {
        const Vec3 at = lattice.centre(lattice.voxel(i));
        const double radius = std::hypot(at.x, at.y);
        const PointSpread::Widths w = spread.widths(radius);
        const double radial = std::max(0.0, w.radial_mm * w.radial_mm - ownAcross);
        const double tangential = std::max(0.0, w.tangential_mm * w.tangential_mm - ownAcross);
        const double c = radius > 0 ? at.x / radius : 1;
        const double s = radius > 0 ? at.y / radius : 0;
        covariances[i] = {(radial * c * c + tangential * s * s) / (dx * dx),
                          (radial - tangential) * c * s / (dx * dy),
                          (radial * s * s + tangential * c * c) / (dy * dy)};
        const double along = std::max(0.0, w.axial_mm * w.axial_mm - ownAxial);
        axial[i] = std::sqrt(along) / dz;
        meanVariance += (radial + tangential + along) / 3 / static_cast<double>(columns_);
    }
    fillAxial(axial);
    fillAcross(covariances, pool);
    if (tailShare_ > 0) {
        tails_.emplace(lattice, kFwhmPerSigma * spread.tailWidth * std::sqrt(meanVariance));
    }
}

void VariantBlur::fillAxial(const std::vector<double>& sigmas) {
    // Neighbouring columns have nearly the same width: one of so many.
    constexpr double kSteps = 256;
    const double most = *std::max_element(sigmas.begin(), sigmas.end());
    const auto size = static_cast<std::size_t>(lattice_.size[2]);
    std::vector<std::vector<double>> made(static_cast<std::size_t>(kSteps) + 1);
    for (std::size_t k = 0; k < made.size(); ++k) {
        made[k] = axisWeights(most * static_cast<double>(k) / kSteps, size);
    }
    std::size_t reach = 0;
    for (const std::vector<double>& weights : made) {
        reach = std::max(reach, weights.size());
    }
    axial_.assign(reach * columns_, 0.0F);
    for (std::size_t i = 0; i < columns_; ++i) {
        const auto step = static_cast<std::size_t>(std::lround(most > 0 ? sigmas[i] / most * kSteps : 0));
        for (std::size_t k = 0; k < made[step].size(); ++k) {
            axial_[k * columns_ + i] = static_cast<float>(made[step][k]);
        }
    }
}

void VariantBlur::fillAcross(const std::vector<Covariance>& covariances, const ThreadPool& pool) {
    std::array<double, 2> most{};
    for (const Covariance& c : covariances) {
        most = {std::max(most[0], c[0]), std::max(most[1], c[2])};
    }
    taps_ = halfPlane({reachOf(most[0], lattice_.size[0]), reachOf(most[1], lattice_.size[1])});
    across_.resize(taps_.size() * columns_);
    const double rest = 1 - static_cast<double>(tailShare_);
    pool.forRange(columns_, kSpreadGrain, [&](std::size_t begin, std::size_t end) {
        Weights weights(taps_);
        for (std::size_t i = begin; i < end; ++i) {
            fitWeights(covariances[i], weights);
            for (std::size_t t = 0; t < taps_.size(); ++t) {
                across_[t * columns_ + i] = static_cast<float>(rest * weights[t]);
            }
        }
    });
}

template <class Body>
void VariantBlur::forEachRow(const ThreadPool& pool, const Body& body) const {
    // Planes of a row one after the other: they share its weights.
    const auto planes = static_cast<std::size_t>(lattice_.size[2]);
    const auto rows = static_cast<std::size_t>(lattice_.size[1]);
    pool.forRange(rows * planes, kRows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            body(static_cast<int>(i / planes), static_cast<int>(i % planes));
        }
    });
}

template <class Visit>
void VariantBlur::forEachTap(const Visit& visit) const {
    visit(0, 0, 0);
    for (std::size_t tap = 1; tap < taps_.size(); ++tap) {
        visit(tap, taps_[tap][0], taps_[tap][1]);
        visit(tap, -taps_[tap][0], -taps_[tap][1]);
    }
}

void VariantBlur::alongZ(const float* in, float* out, const ThreadPool& pool) const {
    const int width = lattice_.size[0];
    const int reach = static_cast<int>(axial_.size() / columns_);
    forEachRow(pool, [&](int y, int z) {
        float* const to = out + lattice_.index(0, y, z);
        std::fill_n(to, width, 0.0F);
        for (int k = std::max(1 - reach, -z); k < std::min(reach, lattice_.size[2] - z); ++k) {
            const float* const weights = axial_.data() + lattice_.index(0, y, std::abs(k));
            fetch(weights, in + lattice_.index(0, y, z + k), 0, width, to);
        }
    });
}

void VariantBlur::addTails(const float* in, float* scratch, float* out, const ThreadPool& pool) const {
    if (!tails_) {
        return;
    }
    float* const blurred = scratch + lattice_.voxels();
    tails_->forward(in, scratch, blurred, pool);
    forEachRow(pool, [&](int y, int z) {
        const std::size_t first = lattice_.index(0, y, z);
        for (std::size_t i = first; i < first + static_cast<std::size_t>(lattice_.size[0]); ++i) {
            out[i] += tailShare_ * blurred[i];
        }
    });
}

void VariantBlur::forward(const float* in, float* scratch, float* out, const ThreadPool& pool) const {
    alongZ(in, scratch, pool);
    forEachRow(pool, [&](int y, int z) {
        float* const to = out + lattice_.index(0, y, z);
        std::fill_n(to, lattice_.size[0], 0.0F);
        forEachTap([&](std::size_t tap, int columns, int rows) {
            const int source = y - rows;
            if (source >= 0 && source < lattice_.size[1]) {
                send(weightsOf(tap, source), scratch + lattice_.index(0, source, z), columns,
                     lattice_.size[0], to);
            }
        });
    });
    addTails(in, scratch, out, pool);
}

void VariantBlur::back(const float* in, float* scratch, float* out, const ThreadPool& pool) const {
    forEachRow(pool, [&](int y, int z) {
        float* const to = scratch + lattice_.index(0, y, z);
        std::fill_n(to, lattice_.size[0], 0.0F);
        forEachTap([&](std::size_t tap, int columns, int rows) {
            const int target = y + rows;
            if (target >= 0 && target < lattice_.size[1]) {
                fetch(weightsOf(tap, y), in + lattice_.index(0, target, z), columns, lattice_.size[0], to);
            }
        });
    });
    alongZ(scratch, out, pool);
    addTails(in, scratch, out, pool);
}

}  // namespace tof
