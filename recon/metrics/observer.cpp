// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/observer.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr double kNormal95 = 1.959964;

/// Values of all channels at a distance from the centre.
std::vector<double> laguerreGauss(const ChannelSettings& settings, double r_mm) {
    const double a = settings.width_mm;
    const double t = 2 * kPi * r_mm * r_mm / (a * a);
    const double scale = std::numbers::sqrt2 / a * std::exp(-t / 2);
    std::vector<double> values;
    double before = 0;
    double laguerre = 1;
    for (int p = 0; p < settings.count; ++p) {
        values.push_back(scale * laguerre);
        const double next = ((2 * p + 1 - t) * laguerre - p * before) / (p + 1);
        before = laguerre;
        laguerre = next;
    }
    return values;
}

/// Radial frequency profiles exp(-(f / Q s)^2 / 2) - exp(-(f / s)^2 / 2), s = 0.005 1.4^j cycles a voxel and
/// Q = 1.67, as they are in space.
std::vector<double> denseDifferences(double r_voxels) {
    constexpr int kChannels = 10;
    constexpr double kFirst = 0.005;
    constexpr double kRatio = 1.4;
    constexpr double kQ = 1.67;
    const auto gaussian = [&](double s) {
        return 2 * kPi * s * s * std::exp(-2 * kPi * kPi * s * s * r_voxels * r_voxels);
    };
    std::vector<double> values;
    double s = kFirst;
    for (int j = 0; j < kChannels; ++j, s *= kRatio) {
        values.push_back(gaussian(kQ * s) - gaussian(s));
    }
    return values;
}

/// How far channels reach: the Gaussian of Laguerre-Gauss has fallen to 3e-6; differences are cut, as the
/// widest of them are wider than images are. Nothing reaches further than the `size` voxels of an image.
int reachOf(const ChannelSettings& settings, double spacing_mm, int size) {
    constexpr double kDifferences = 32;
    const double reach = settings.kind == ChannelKind::DenseDifferences
                             ? kDifferences
                             : std::ceil(2 * settings.width_mm / spacing_mm);
    return static_cast<int>(std::min<double>(reach, size));
}

double normalShare(double z) {
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

using Rows = std::vector<Eigen::VectorXd>;

Rows atPlace(std::span<const SearchedImage> images, std::size_t place) {
    Rows rows;
    for (const SearchedImage& image : images) {
        rows.emplace_back(Eigen::Map<const Eigen::VectorXd>(image.at(place).data(),
                                                            static_cast<Eigen::Index>(image[place].size())));
    }
    return rows;
}

constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

/// Mean and scatter matrix of the images but for one.
struct Learned {
    Eigen::VectorXd mean;
    Eigen::MatrixXd scatter;
    double count = 0;
};
Learned learn(const Rows& rows, std::size_t leftOut) {
    const Eigen::Index n = rows.front().size();
    Learned result{Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Zero(n, n)};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i != leftOut) {
            result.mean += rows[i];
            result.count += 1;
        }
    }
    result.mean /= result.count;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i != leftOut) {
            const Eigen::VectorXd d = rows[i] - result.mean;
            result.scatter += d * d.transpose();
        }
    }
    return result;
}

HotellingObserver observerOf(const Learned& present, const Learned& absent, double internalNoise) {
    const Eigen::VectorXd difference = present.mean - absent.mean;
    const Eigen::MatrixXd covariance =
        (present.scatter / (present.count - 1) + absent.scatter / (absent.count - 1)) / 2;
    return hotellingObserver({difference.data(), static_cast<std::size_t>(difference.size())},
                             {covariance.data(), static_cast<std::size_t>(covariance.size())}, internalNoise);
}

/// Sums over the images without the signal, by place.
Rows sumsByPlace(std::span<const SearchedImage> absent) {
    Rows sums;
    for (std::size_t place = 0; place < absent.front().size(); ++place) {
        const Rows rows = atPlace(absent, place);
        sums.emplace_back(rows.front());
        for (std::size_t i = 1; i < rows.size(); ++i) {
            sums.back() += rows[i];
        }
    }
    return sums;
}

/// The rating of an image; `own` is that image where it is among those without the signal, or null.
Ratings::One rate(const SearchedImage& image, const HotellingObserver& observer, const Rows& sums,
                  double count, const SearchedImage* own, std::span<const char> near) {
    Ratings::One best{-std::numeric_limits<double>::infinity(), observer.internalVariance, false};
    for (std::size_t place = 0; place < image.size(); ++place) {
        double value = 0;
        for (std::size_t c = 0; c < observer.weights.size(); ++c) {
            double sum = sums[place][static_cast<Eigen::Index>(c)];
            if (own != nullptr) {
                sum -= (*own)[place][c];
            }
            value += observer.weights[c] * (image[place][c] - sum / (own != nullptr ? count - 1 : count));
        }
        if (value > best.value) {
            best.value = value;
            best.found = near[place] != 0;
        }
    }
    return best;
}

/// Mean and variance (n - 1) of ratings, internal noise included.
struct Spread {
    double mean = 0;
    double variance = 0;
};
Spread spreadOf(const std::vector<Ratings::One>& ratings) {
    Spread spread;
    const auto n = static_cast<double>(ratings.size());
    for (const Ratings::One& one : ratings) {
        spread.mean += one.value / n;
        spread.variance += one.internalVariance / n;
    }
    for (const Ratings::One& one : ratings) {
        spread.variance += std::pow(one.value - spread.mean, 2) / (n - 1);
    }
    return spread;
}

/// How often one is rated above the other.
double above(const Ratings::One& present, const Ratings::One& absent) {
    const double difference = present.value - absent.value;
    const double variance = present.internalVariance + absent.internalVariance;
    if (!present.found) {
        return 0;
    }
    if (variance > 0) {
        return normalShare(difference / std::sqrt(variance));
    }
    return difference > 0 ? 1 : difference < 0 ? 0 : 0.5;
}

double varianceOfMean(const std::vector<double>& values, double mean) {
    double sum = 0;
    for (const double value : values) {
        sum += std::pow(value - mean, 2);
    }
    const auto n = static_cast<double>(values.size());
    return sum / (n - 1) / n;
}

}  // namespace

ChannelBank::ChannelBank(const ChannelSettings& settings, const Lattice& lattice, Vec3 centre_mm)
    : home_(lattice.voxelAt(centre_mm)) {
    if (settings.count < 1 || !(settings.width_mm > 0)) {
        throw WrongUse("channels: {} of {} mm; take at least one, of more than 0 mm", settings.count,
                       settings.width_mm);
    }
    const int reachX = reachOf(settings, lattice.spacing_mm[0], lattice.size[0]);
    const int reachY = reachOf(settings, lattice.spacing_mm[1], lattice.size[1]);
    for (int y = -reachY; y <= reachY; ++y) {
        for (int x = -reachX; x <= reachX; ++x) {
            const Vec3 at = lattice.centre(home_[0] + x, home_[1] + y, home_[2]);
            const double r_mm = std::hypot(at.x - centre_mm.x, at.y - centre_mm.y);
            const std::vector<double> values = settings.kind == ChannelKind::LaguerreGauss
                                                   ? laguerreGauss(settings, r_mm)
                                                   : denseDifferences(r_mm / lattice.spacing_mm[0]);
            taps_.push_back({x, y});
            weights_.insert(weights_.end(), values.begin(), values.end());
        }
    }
    channels_ = weights_.size() / taps_.size();
}

std::vector<double> ChannelBank::responses(const Volume& image, int alongX, int alongY) const {
    std::vector<double> sums(channels_, 0.0);
    for (std::size_t i = 0; i < taps_.size(); ++i) {
        const VoxelIndex at{home_[0] + alongX + taps_[i].x, home_[1] + alongY + taps_[i].y, home_[2]};
        if (image.lattice.contains(at)) {
            const auto value = static_cast<double>(image.at(at));
            for (std::size_t c = 0; c < channels_; ++c) {
                sums[c] += value * weights_[i * channels_ + c];
            }
        }
    }
    return sums;
}

HotellingObserver hotellingObserver(std::span<const double> difference, std::span<const double> covariance,
                                    double internalNoise) {
    const auto n = static_cast<Eigen::Index>(difference.size());
    const Eigen::Map<const Eigen::VectorXd> signal(difference.data(), n);
    const Eigen::Map<const Eigen::MatrixXd> external(covariance.data(), n, n);
    const Eigen::VectorXd internal = internalNoise * external.diagonal();
    const Eigen::LDLT<Eigen::MatrixXd> solver(external + Eigen::MatrixXd(internal.asDiagonal()));
    constexpr double kSingular = 1e-13;
    if (solver.info() != Eigen::Success ||
        !(solver.vectorD().minCoeff() > kSingular * solver.vectorD().maxCoeff())) {
        throw BadInput(
            "the observer's channels do not vary independently over these images; give more images or "
            "take fewer channels");
    }
    const Eigen::VectorXd weights = solver.solve(signal);
    return {
        {weights.begin(), weights.end()}, std::sqrt(signal.dot(weights)), weights.cwiseAbs2().dot(internal)};
}

Ratings rateByOthers(std::span<const SearchedImage> present, std::span<const SearchedImage> absent,
                     std::span<const char> near, double internalNoise) {
    const std::size_t channels = present.empty() ? 1 : present.front().front().size();
    // One is left out, and a mean takes one more.
    if (std::min(present.size(), absent.size()) < 3 || present.size() + absent.size() < channels + 4) {
        throw BadInput(
            "an observer of {} channels cannot learn from {} images with the signal and {} without it; give "
            "three of each at least and {} in all",
            channels, present.size(), absent.size(), channels + 4);
    }
    const Rows with = atPlace(present, 0);
    const Rows without = atPlace(absent, 0);
    const Rows sums = sumsByPlace(absent);
    const auto count = static_cast<double>(absent.size());
    Ratings ratings;
    const Learned allAbsent = learn(without, kNobody);
    for (std::size_t i = 0; i < present.size(); ++i) {
        const HotellingObserver observer = observerOf(learn(with, i), allAbsent, internalNoise);
        ratings.present.push_back(rate(present[i], observer, sums, count, nullptr, near));
    }
    const Learned allPresent = learn(with, kNobody);
    for (std::size_t i = 0; i < absent.size(); ++i) {
        const HotellingObserver observer = observerOf(allPresent, learn(without, i), internalNoise);
        ratings.absent.push_back(rate(absent[i], observer, sums, count, &absent[i], near));
    }
    return ratings;
}

double TaskFigures::low() const {
    return std::max(0.0, area - kNormal95 * sd);
}

double TaskFigures::high() const {
    return std::min(1.0, area + kNormal95 * sd);
}

TaskFigures taskFigures(const Ratings& ratings) {
    std::vector<double> byPresent(ratings.present.size(), 0.0);
    std::vector<double> byAbsent(ratings.absent.size(), 0.0);
    const auto m = static_cast<double>(byPresent.size());
    const auto n = static_cast<double>(byAbsent.size());
    for (std::size_t i = 0; i < byPresent.size(); ++i) {
        for (std::size_t j = 0; j < byAbsent.size(); ++j) {
            const double share = above(ratings.present[i], ratings.absent[j]);
            byPresent[i] += share / n;
            byAbsent[j] += share / m;
        }
    }
    TaskFigures figures;
    for (const double share : byPresent) {
        figures.area += share / m;
    }
    figures.sd = std::sqrt(varianceOfMean(byPresent, figures.area) + varianceOfMean(byAbsent, figures.area));
    const Spread with = spreadOf(ratings.present);
    const Spread without = spreadOf(ratings.absent);
    const double variance = (with.variance + without.variance) / 2;
    figures.snr = variance > 0 ? (with.mean - without.mean) / std::sqrt(variance)
                               : std::numeric_limits<double>::quiet_NaN();
    return figures;
}

}  // namespace tof
