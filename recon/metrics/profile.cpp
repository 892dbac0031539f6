// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/profile.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "recon/base/error.h"
#include "recon/base/percentile.h"

namespace tof {

namespace {

void requireSameLattice(const Volume& a, const Volume& b) {
    if (!(a.lattice == b.lattice)) {
        throw WrongUse("the two volumes lie on different lattices (" + a.lattice.text() + "; " +
                       b.lattice.text() + "); resample one of them first");
    }
}

double interpolated(const Volume& volume, Vec3 mm) {
    const Vec3 at = volume.lattice.continuousIndex(mm);
    const auto low = [](double v) { return static_cast<int>(std::floor(std::clamp(v, -1e6, 1e6))); };
    const int corner[3] = {low(at.x), low(at.y), low(at.z)};
    const double share[3] = {at.x - corner[0], at.y - corner[1], at.z - corner[2]};
    double sum = 0;
    for (int i = 0; i < 8; ++i) {
        const int step[3] = {i & 1, (i >> 1) & 1, i >> 2};
        double weight = 1;
        for (int axis = 0; axis < 3; ++axis) {
            weight *= step[axis] == 1 ? share[axis] : 1 - share[axis];
        }
        const int x = corner[0] + step[0];
        const int y = corner[1] + step[1];
        const int z = corner[2] + step[2];
        if (weight > 0 && volume.lattice.contains(x, y, z)) {
            sum += weight * static_cast<double>(volume.at(x, y, z));
        }
    }
    return sum;
}

}  // namespace

Profile profileBetween(const Volume& volume, Vec3 a, Vec3 b) {
    const auto& spacing = volume.lattice.spacing_mm;
    const double length = norm(b - a);
    const double longest = *std::min_element(spacing.begin(), spacing.end()) / 2;
    const int steps = std::clamp(static_cast<int>(std::ceil(length / longest - 1e-9)), 1, 100000);
    Profile profile;
    for (int i = 0; i <= steps; ++i) {
        const double share = static_cast<double>(i) / steps;
        profile.position_mm.push_back(share * length);
        profile.value.push_back(interpolated(volume, a + share * (b - a)));
    }
    return profile;
}

Profile profileAlong(const Volume& volume, int axis, Vec3 through) {
    const Lattice& lattice = volume.lattice;
    const auto along = static_cast<std::size_t>(axis);
    VoxelIndex at = lattice.voxelAt(through);
    Profile profile;
    for (int i = 0; lattice.contains(at) && i < lattice.size[along]; ++i) {
        at[along] = i;
        profile.position_mm.push_back(lattice.centre(at)[along]);
        profile.value.push_back(static_cast<double>(volume.at(at)));
    }
    return profile;
}

std::optional<double> fullWidthHalfMaximum(const Profile& profile, double at_mm, double reach_mm,
                                           double base) {
    const std::size_t n = profile.value.size();
    std::size_t peak = n;
    for (std::size_t i = 0; i < n; ++i) {
        const bool near = std::abs(profile.position_mm[i] - at_mm) <= reach_mm;
        if (near && (peak == n || profile.value[i] > profile.value[peak])) {
            peak = i;
        }
    }
    if (peak == n || !(profile.value[peak] > base)) {
        return std::nullopt;
    }
    const double half = base + (profile.value[peak] - base) / 2;
    const auto crossing = [&](std::size_t above, std::size_t below) {
        const double share = (profile.value[above] - half) / (profile.value[above] - profile.value[below]);
        return profile.position_mm[above] + share * (profile.position_mm[below] - profile.position_mm[above]);
    };
    std::size_t left = peak;
    while (left > 0 && profile.value[left - 1] > half) {
        --left;
    }
    std::size_t right = peak;
    while (right + 1 < n && profile.value[right + 1] > half) {
        ++right;
    }
    if (left == 0 || right + 1 == n) {
        return std::nullopt;
    }
    return crossing(right, right + 1) - crossing(left, left - 1);
}

bool peakStandsOut(const Profile& profile, double at_mm, double reach_mm, double base) {
    const std::size_t n = profile.value.size();
    std::size_t peak = n;
    for (std::size_t i = 0; i < n; ++i) {
        const bool near = std::abs(profile.position_mm[i] - at_mm) <= reach_mm;
        peak = near && (peak == n || profile.value[i] > profile.value[peak]) ? i : peak;
    }
    if (peak == n) {
        return false;
    }
    const double height = profile.value[peak] - base;
    std::size_t left = peak;
    std::size_t right = peak;
    while (left > 0 && profile.value[left] - base > height / 2) {
        --left;
    }
    while (right + 1 < n && profile.value[right] - base > height / 2) {
        ++right;
    }
    std::vector<double> steps;
    std::vector<double> outside;
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) {
            steps.push_back(std::abs(profile.value[i] - profile.value[i - 1]));
        }
        if (i < left || i > right) {
            outside.push_back(std::abs(profile.value[i] - base));
        }
    }
    // The median of |a| is 0.6745 SD for normal noise, and that of |a - b| sqrt(2) times as much.
    constexpr std::size_t kFewest = 5;
    const double noise = outside.size() < kFewest
                             ? 0
                             : std::min(median(steps) / (0.6745 * std::sqrt(2.0)), median(outside) / 0.6745);
    constexpr double kRounding = 1e-5;
    return height > std::max(kRounding * std::max(std::abs(profile.value[peak]), std::abs(base)), 3 * noise);
}

std::vector<std::size_t> histogram(std::span<const float> values, double low, double high, std::size_t bins) {
    std::vector<std::size_t> counts(bins, 0);
    const double scale = static_cast<double>(bins) / (high - low);
    for (const float value : values) {
        const double position = (static_cast<double>(value) - low) * scale;
        if (position >= 0 && position < static_cast<double>(bins)) {
            ++counts[static_cast<std::size_t>(position)];
        }
    }
    return counts;
}

DifferenceFigures compareVolumes(const Volume& a, const Volume& b) {
    requireSameLattice(a, b);
    DifferenceFigures figures;
    const std::size_t n = a.data.size();
    figures.identical = std::memcmp(a.data.data(), b.data.data(), n * sizeof(float)) == 0;
    std::vector<float> sizes(n);
    double sum = 0;
    double squares = 0;
    double reference = 0;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double d = static_cast<double>(a.data[i]) - static_cast<double>(b.data[i]);
        sizes[i] = static_cast<float>(std::abs(d));
        sum += d;
        squares += d * d;
        reference += static_cast<double>(b.data[i]) * static_cast<double>(b.data[i]);
        largest = sizes[i] > sizes[largest] ? i : largest;
    }
    if (n == 0) {
        return figures;
    }
    const auto count = static_cast<double>(n);
    figures.largest = static_cast<double>(sizes[largest]);
    figures.where_mm = a.lattice.centre(a.lattice.voxel(largest));
    figures.mean = sum / count;
    figures.rms = std::sqrt(squares / count);
    figures.relativeRms = reference > 0 ? std::sqrt(squares / reference) : 0;
    // Zeros, which most voxels are where points were projected, come first without being sorted.
    const auto at = static_cast<std::ptrdiff_t>(0.999 * static_cast<double>(n - 1));
    const auto positive = std::partition(sizes.begin(), sizes.end(), [](float v) { return v == 0.0F; });
    if (at >= positive - sizes.begin()) {
        std::nth_element(positive, sizes.begin() + at, sizes.end());
    }
    figures.percentile999 = static_cast<double>(sizes[static_cast<std::size_t>(at)]);
    return figures;
}

Volume differenceOf(const Volume& a, const Volume& b) {
    requireSameLattice(a, b);
    Volume out(a.lattice);
    out.units = a.units;
    std::transform(a.data.begin(), a.data.end(), b.data.begin(), out.data.begin(), std::minus<>());
    return out;
}

}  // namespace tof
