// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/profile.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "recon/base/error.h"
#include "recon/base/interpolated.h"
#include "recon/base/percentile.h"

namespace tof {

namespace {

void requireSameLattice(const Volume& a, const Volume& b) {
    if (!(a.lattice == b.lattice)) {
        throw WrongUse("the two volumes lie on different lattices (" + a.lattice.text() + "; " +
                       b.lattice.text() + "); resample one of them first");
    }
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

namespace {

constexpr double kWidestPeak_mm = 120;

/// First and last voxel of a peak that lie above its half.
struct Top {
    std::size_t first;
    std::size_t last;
};

Top topOf(const Profile& profile, std::size_t peak, double half) {
    Top top{peak, peak};
    while (top.first > 0 && profile.value[top.first - 1] > half) {
        --top.first;
    }
    while (top.last + 1 < profile.value.size() && profile.value[top.last + 1] > half) {
        ++top.last;
    }
    return top;
}

/// The values beside a peak, its flanks left out.
std::vector<double> beside(const Profile& profile, Top top) {
    constexpr std::size_t kFewest = 12;
    const std::size_t width = top.last - top.first + 1;
    const std::size_t flank = width / 2 + 1;
    const std::size_t most = std::max(kFewest, width);
    std::vector<double> values;
    for (std::size_t i = top.first - std::min(top.first, flank + most);
         i < top.first - std::min(top.first, flank); ++i) {
        values.push_back(profile.value[i]);
    }
    const std::size_t end = profile.value.size();
    for (std::size_t i = std::min(end, top.last + 1 + flank); i < std::min(end, top.last + 1 + flank + most);
         ++i) {
        values.push_back(profile.value[i]);
    }
    return values;
}

/// The lower quartile of what is near: at first a peak may be as wide as any.
double firstBase(const Profile& profile, std::size_t peak) {
    std::vector<double> near;
    for (std::size_t i = 0; i < profile.value.size(); ++i) {
        if (std::abs(profile.position_mm[i] - profile.position_mm[peak]) <= kWidestPeak_mm / 2) {
            near.push_back(profile.value[i]);
        }
    }
    const auto quarter = near.begin() + static_cast<std::ptrdiff_t>(near.size() / 4);
    std::nth_element(near.begin(), quarter, near.end());
    return *quarter;
}

PeakSearch measured(const Profile& profile, std::size_t peak, double base, Top top) {
    std::vector<double> distances = beside(profile, top);
    for (double& value : distances) {
        value = std::abs(value - base);
    }
    constexpr std::size_t kFewest = 5;
    constexpr double kMedianOfNormal = 0.6745;  // of |a|, in SDs
    constexpr double kRounding = 1e-5;
    ProfilePeak found{.top = profile.value[peak], .base = base};
    found.noise = distances.size() < kFewest ? 0 : median(distances) / kMedianOfNormal;
    const double rounding = kRounding * std::max(std::abs(found.top), std::abs(base));
    if (!(found.top - base > std::max(rounding, 3 * found.noise))) {
        return {};
    }
    if (top.first == 0 || top.last + 1 == profile.value.size()) {
        return {{}, true};
    }
    const auto crossing = [&](std::size_t above, std::size_t below) {
        const double share =
            (profile.value[above] - found.half()) / (profile.value[above] - profile.value[below]);
        return profile.position_mm[above] + share * (profile.position_mm[below] - profile.position_mm[above]);
    };
    found.left_mm = crossing(top.first, top.first - 1);
    found.right_mm = crossing(top.last, top.last + 1);
    return {found, true};
}

}  // namespace

PeakSearch peakNear(const Profile& profile, double at_mm, double reach_mm) {
    const std::size_t n = profile.value.size();
    std::size_t peak = n;
    for (std::size_t i = 0; i < n; ++i) {
        const bool near = std::abs(profile.position_mm[i] - at_mm) <= reach_mm;
        peak = near && (peak == n || profile.value[i] > profile.value[peak]) ? i : peak;
    }
    if (peak == n) {
        return {};
    }
    double base = firstBase(profile, peak);
    Top top{peak, peak};
    constexpr int kRounds = 8;  // a peak settles in two or three
    for (int round = 0; round < kRounds; ++round) {
        const Top next = topOf(profile, peak, base + (profile.value[peak] - base) / 2);
        if (round > 0 && next.first == top.first && next.last == top.last) {
            break;
        }
        top = next;
        const std::vector<double> ground = beside(profile, top);
        base = ground.empty() ? base : median(ground);
    }
    if (profile.position_mm[top.last] - profile.position_mm[top.first] > kWidestPeak_mm) {
        return {};
    }
    return measured(profile, peak, base, top);
}

PeakSearch peakAcross(const Profile& profile) {
    if (profile.value.empty()) {
        return {};
    }
    const auto peak = static_cast<std::size_t>(std::max_element(profile.value.begin(), profile.value.end()) -
                                               profile.value.begin());
    const double base = (profile.value.front() + profile.value.back()) / 2;
    return measured(profile, peak, base, topOf(profile, peak, base + (profile.value[peak] - base) / 2));
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
