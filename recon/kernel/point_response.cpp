// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/point_response.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"

namespace tof {

namespace {

std::size_t column(const Lattice& lattice, int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(lattice.size[0]) +
           static_cast<std::size_t>(x);
}

Volume rounded(const Lattice& lattice, const std::vector<double>& sums) {
    Volume volume(lattice);
    std::transform(sums.begin(), sums.end(), volume.data.begin(),
                   [](double v) { return static_cast<float>(v); });
    return volume;
}

/// The Gaussian nearest to a measured profile, zeros beyond its ends included, by least squares over many
/// points of its straight pieces.
class GaussianOfProfile {
  public:
    explicit GaussianOfProfile(const MeasuredProfile& profile) : profile_(profile) {
        constexpr int kPerPiece = 8;
        const auto& q = profile.q_mm;
        const double beyond = 0.5 * (q.back() - q.front());
        for (std::size_t k = 0; k + 1 < q.size(); ++k) {
            for (int i = 0; i < kPerPiece; ++i) {
                const double upper = (i + 0.5) / kPerPiece;
                points_.push_back(
                    {q[k] + upper * (q[k + 1] - q[k]), (q[k + 1] - q[k]) / kPerPiece, k, upper});
            }
        }
        const std::size_t none = q.size();
        for (int i = 0; i < kPerPiece; ++i) {
            const double off = (i + 0.5) / kPerPiece * beyond;
            points_.push_back({q.front() - off, beyond / kPerPiece, none, 0});
            points_.push_back({q.back() + off, beyond / kPerPiece, none, 0});
        }
    }

    /// Its FWHM, with the error that those of the knots make.
    [[nodiscard]] Estimate fwhm() {
        start();
        constexpr int kMostSteps = 60;
        for (int step = 0; step < kMostSteps && move(); ++step) {
        }
        return {at_[2] * kFwhmPerSigma, deviation() * kFwhmPerSigma};
    }

  private:
    struct Point {
        double q;
        double weight;      ///< mm that it stands for
        std::size_t lower;  ///< knot below; beyond the last: the profile is 0
        double upper;       ///< share of the next one
    };

    [[nodiscard]] double valueAt(const Point& p) const {
        const auto& w = profile_.w;
        return p.lower + 1 < w.size() ? (1 - p.upper) * w[p.lower] + p.upper * w[p.lower + 1] : 0;
    }

    /// Amplitude, centre and width from the moments.
    void start() {
        double mass = 0;
        double first = 0;
        double second = 0;
        for (const Point& p : points_) {
            const double w = p.weight * valueAt(p);
            mass += w;
            first += w * p.q;
            second += w * p.q * p.q;
        }
        const double centre = first / mass;
        const double sigma = std::sqrt(std::max(second / mass - centre * centre, 1e-12));
        at_ = {mass / (sigma * std::sqrt(2 * kPi)), centre, sigma};
    }

    /// Derivatives of the Gaussian, and its value in the last place.
    [[nodiscard]] std::array<double, 4> slopesAt(double q) const {
        const double d = (q - at_[1]) / at_[2];
        const double g = std::exp(-0.5 * d * d);
        return {g, at_[0] * g * d / at_[2], at_[0] * g * d * d / at_[2], at_[0] * g};
    }

    [[nodiscard]] std::vector<double> normal() const {
        std::vector<double> matrix(9, 0);
        for (const Point& p : points_) {
            const auto slope = slopesAt(p.q);
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t j = 0; j < 3; ++j) {
                    matrix[3 * i + j] += p.weight * slope[i] * slope[j];
                }
            }
        }
        return matrix;
    }

    /// One step of Gauss-Newton; false when there is no more to gain.
    bool move() {
        std::vector<double> side(3, 0);
        for (const Point& p : points_) {
            const auto slope = slopesAt(p.q);
            for (std::size_t i = 0; i < 3; ++i) {
                side[i] += p.weight * slope[i] * (valueAt(p) - slope[3]);
            }
        }
        std::vector<double> matrix = normal();
        if (!solveSymmetric(matrix, side)) {
            return false;
        }
        const double before = at_[2];
        at_[0] += side[0];
        at_[1] += side[1];
        at_[2] = std::clamp(before + side[2], 0.5 * before, 2 * before);
        return std::abs(at_[2] - before) > 1e-10 * before;
    }

    /// Of the width: what a knot's error moves it by, added up in squares; 0 where they are not known.
    [[nodiscard]] double deviation() const {
        const std::size_t n = profile_.sd.size();
        std::vector<double> matrix = normal();
        std::vector<double> row{0, 0, 1};
        if (n == 0 || !solveSymmetric(matrix, row)) {
            return 0;
        }
        std::vector<double> moved(n, 0);
        for (const Point& p : points_) {
            if (p.lower + 1 < n) {
                const auto slope = slopesAt(p.q);
                const double pull = p.weight * (row[0] * slope[0] + row[1] * slope[1] + row[2] * slope[2]);
                moved[p.lower] += (1 - p.upper) * pull;
                moved[p.lower + 1] += p.upper * pull;
            }
        }
        double variance = 0;
        for (std::size_t k = 0; k < n; ++k) {
            variance += moved[k] * moved[k] * profile_.sd[k] * profile_.sd[k];
        }
        return std::sqrt(variance);
    }

    const MeasuredProfile& profile_;
    std::vector<Point> points_;
    std::array<double, 3> at_{};
};

}  // namespace

VoxelIndex nearestVoxel(const Lattice& lattice, Vec3 point_mm) {
    const Vec3 index = lattice.continuousIndex(point_mm);
    const double at[] = {index.x, index.y, index.z};
    VoxelIndex voxel{};
    for (std::size_t k = 0; k < 3; ++k) {
        // The comparison in clamp's order also sends values that are not numbers to the first voxel.
        const double last = lattice.size[k] - 1;
        voxel[k] = static_cast<int>(std::min(last, std::max(0.0, std::floor(at[k] + 0.5))));
    }
    return voxel;
}

Volume pointImage(const Lattice& lattice, std::span<const VoxelIndex> points) {
    Volume volume(lattice);
    for (const VoxelIndex& p : points) {
        volume.at(p[0], p[1], p[2]) += 1.0F;
    }
    return volume;
}

Volume forwardOfPoints(const KernelTables& tables, const Lattice& lattice,
                       std::span<const VoxelIndex> points) {
    std::vector<double> sums(lattice.voxels(), 0.0);
    for (const VoxelIndex& p : points) {
        const auto row = tables.row(tables.ids[column(lattice, p[0], p[1])]);
        for (std::size_t t = 0; t < tables.taps.size(); ++t) {
            const KernelTap& tap = tables.taps[t];
            const VoxelIndex at{p[0] + tap.x, p[1] + tap.y, p[2] + tap.z};
            if (lattice.contains(at[0], at[1], at[2])) {
                sums[lattice.index(at[0], at[1], at[2])] += row[t];
            }
        }
    }
    return rounded(lattice, sums);
}

Volume backOfPoints(const KernelTables& tables, const Lattice& lattice, std::span<const VoxelIndex> points) {
    std::vector<double> sums(lattice.voxels(), 0.0);
    for (const VoxelIndex& p : points) {
        for (std::size_t t = 0; t < tables.taps.size(); ++t) {
            const KernelTap& tap = tables.taps[t];
            const VoxelIndex at{p[0] - tap.x, p[1] - tap.y, p[2] - tap.z};
            if (lattice.contains(at[0], at[1], at[2])) {
                sums[lattice.index(at[0], at[1], at[2])] +=
                    tables.row(tables.ids[column(lattice, at[0], at[1])])[t];
            }
        }
    }
    return rounded(lattice, sums);
}

QuickPoints::QuickPoints(std::shared_ptr<const KernelOutline> outline, const Lattice& lattice)
    : outline_(std::move(outline)), lattice_(lattice), factors_(static_cast<std::size_t>(outline_->rows())) {}

double QuickPoints::cost(std::size_t points) const {
    constexpr double kFactor = 10;  // multiply-adds that one radial factor costs
    return kFactor * outline_->rows() * static_cast<double>(outline_->distances()) +
           static_cast<double>(points) * static_cast<double>(outline_->taps().size());
}

const std::vector<double>& QuickPoints::factors(std::int32_t id) {
    std::vector<double>& row = factors_[static_cast<std::size_t>(id)];
    const int ids = outline_->radialIds();
    if (row.empty() && id >= ids && id < 2 * ids) {
        const std::vector<double>& mirrored = factors(id - ids);  // the support is symmetric about its middle
        row.assign(mirrored.rbegin(), mirrored.rend());
    } else if (row.empty()) {
        row = outline_->factorsOf(id);
    }
    return row;
}

Volume QuickPoints::forward(std::span<const VoxelIndex> points) {
    Volume volume(lattice_);
    const auto& taps = outline_->taps();
    for (const VoxelIndex& p : points) {
        const auto& row = factors(outline_->ids()[column(lattice_, p[0], p[1])]);
        for (std::size_t t = 0; t < taps.size(); ++t) {
            const VoxelIndex at{p[0] + taps[t].x, p[1] + taps[t].y, p[2] + taps[t].z};
            if (lattice_.contains(at[0], at[1], at[2])) {
                volume.at(at[0], at[1], at[2]) += static_cast<float>(outline_->tap(row, t));
            }
        }
    }
    return volume;
}

Volume QuickPoints::back(std::span<const VoxelIndex> points) {
    Volume volume(lattice_);
    const auto& taps = outline_->taps();
    for (const VoxelIndex& p : points) {
        for (std::size_t t = 0; t < taps.size(); ++t) {
            const VoxelIndex at{p[0] - taps[t].x, p[1] - taps[t].y, p[2] - taps[t].z};
            if (lattice_.contains(at[0], at[1], at[2])) {
                const auto& row = factors(outline_->ids()[column(lattice_, at[0], at[1])]);
                volume.at(at[0], at[1], at[2]) += static_cast<float>(outline_->tap(row, t));
            }
        }
    }
    return volume;
}

Volume kernelVolume(const KernelTables& tables, std::array<double, 3> spacing_mm, int row) {
    return kernelVolume(tables.taps, tables.row(row), spacing_mm);
}

Volume kernelVolume(std::span<const KernelTap> taps, std::span<const float> values,
                    std::array<double, 3> spacing_mm) {
    int reach[3] = {0, 0, 0};
    for (const KernelTap& tap : taps) {
        reach[0] = std::max(reach[0], std::abs(static_cast<int>(tap.x)));
        reach[1] = std::max(reach[1], std::abs(static_cast<int>(tap.y)));
        reach[2] = std::max(reach[2], std::abs(static_cast<int>(tap.z)));
    }
    Volume volume(Lattice::centred({2 * reach[0] + 1, 2 * reach[1] + 1, 2 * reach[2] + 1}, spacing_mm));
    for (std::size_t t = 0; t < taps.size(); ++t) {
        const KernelTap& tap = taps[t];
        volume.at(tap.x + reach[0], tap.y + reach[1], tap.z + reach[2]) = values[t];
    }
    return volume;
}

Volume kernelIdMap(std::span<const std::int32_t> ids, const Lattice& lattice) {
    Lattice plane = lattice;
    plane.size[2] = 1;
    plane.origin_mm.z = 0;
    Volume map(plane);
    std::transform(ids.begin(), ids.end(), map.data.begin(),
                   [](std::int32_t id) { return static_cast<float>(id); });
    map.units = "kernel id";
    return map;
}

KernelMoments kernelMoments(const KernelTables& tables, std::array<double, 3> spacing_mm, const View& view,
                            int row) {
    return kernelMoments(tables.taps, tables.row(row), spacing_mm, view);
}

KernelMoments kernelMoments(std::span<const KernelTap> taps, std::span<const float> values,
                            std::array<double, 3> spacing_mm, const View& view) {
    const ViewAxes axes = view.axes();
    KernelMoments moments;
    double first[3] = {0, 0, 0};
    double second[3] = {0, 0, 0};
    for (std::size_t t = 0; t < taps.size(); ++t) {
        const KernelTap& tap = taps[t];
        const Vec3 m{tap.x * spacing_mm[0], tap.y * spacing_mm[1], tap.z * spacing_mm[2]};
        const double along[] = {dot(m, axes.u), dot(m, axes.r), dot(m, axes.a)};
        moments.sum += values[t];
        for (std::size_t k = 0; k < 3; ++k) {
            first[k] += values[t] * along[k];
            second[k] += values[t] * along[k] * along[k];
        }
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double mean = first[k] / moments.sum;
        moments.mean_mm[k] = mean;
        moments.fwhm_mm[k] = kFwhmPerSigma * std::sqrt(std::max(0.0, second[k] / moments.sum - mean * mean));
    }
    return moments;
}

Estimate measuredFwhm(const MeasuredProfile& profile) {
    return GaussianOfProfile(profile).fwhm();
}

}  // namespace tof
