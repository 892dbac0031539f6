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

/// Integrals of a profile of straight pieces: of its values, times q, times q^2.
struct ProfileMoments {
    double mass = 0;
    double first = 0;
    double second = 0;

    /// Adds the piece around `k` that is `value` at knot k and falls to 0 at its neighbours.
    void add(const std::vector<double>& q, std::size_t k, double value) {
        if (k > 0) {
            addRamp(q[k], q[k - 1] - q[k], value);
        }
        if (k + 1 < q.size()) {
            addRamp(q[k], q[k + 1] - q[k], value);
        }
    }
    [[nodiscard]] double mean() const { return first / mass; }
    [[nodiscard]] double variance() const { return second / mass - mean() * mean(); }

  private:
    /// `value` at q falling to 0 at q + width.
    void addRamp(double q, double width, double value) {
        const double area = 0.5 * value * std::abs(width);
        mass += area;
        first += area * (q + width / 3);
        second += area * (q * q + 2 * q * width / 3 + width * width / 6);
    }
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
    ProfileMoments all;
    for (std::size_t k = 0; k < profile.w.size(); ++k) {
        all.add(profile.q_mm, k, profile.w[k]);
    }
    const double sigma = std::sqrt(std::max(all.variance(), 0.0));
    double variance = 0;
    for (std::size_t k = 0; k < profile.sd.size(); ++k) {
        // What a knot moves the variance by, per unit of its value, and the width by half of that over
        // itself.
        ProfileMoments one;
        one.add(profile.q_mm, k, 1);
        const double mean = all.mean();
        const double pull =
            (one.second - 2 * mean * one.first + (mean * mean - sigma * sigma) * one.mass) / all.mass;
        variance += std::pow(pull * profile.sd[k] / (2 * sigma), 2);
    }
    return {kFwhmPerSigma * sigma, kFwhmPerSigma * std::sqrt(variance)};
}

}  // namespace tof
