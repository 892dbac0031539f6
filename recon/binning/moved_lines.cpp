// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/moved_lines.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/large_array.h"
#include "recon/base/samples.h"
#include "recon/base/target_clones.h"

namespace tof {

namespace {

/// Lines of one distance at neighbouring heights, after a move: where they lie on a plane [radial][height],
/// in steps of its points. It goes straight.
struct Row {
    double s0;
    double sStep;
    double z0;
    double zStep;

    [[nodiscard]] double s(std::size_t i) const { return s0 + static_cast<double>(i) * sStep; }
    [[nodiscard]] double z(std::size_t i) const { return z0 + static_cast<double>(i) * zStep; }
};

/// Adds `weight` times what the lines [begin, end) of a row find between points of the plane, where all of
/// them lie; `stride`: points of one distance.
TOF_CLONES void addBetween(const float* plane, int stride, const Row& row, std::size_t begin, std::size_t end,
                           float weight, float* sums) {
    // Places first, then what is there: the compiler makes vectors of either, of both together it does not.
    constexpr std::size_t kTogether = 32;
    std::array<int, kTogether> near;
    std::array<float, kTogether> across;
    std::array<float, kTogether> up;
    const float* const low = plane;
    const float* const high = plane + stride;
    for (; begin < end; begin += kTogether) {
        const std::size_t count = std::min(kTogether, end - begin);
        for (std::size_t i = 0; i < count; ++i) {
            const double s = row.s(begin + i);
            const double z = row.z(begin + i);
            const int line = static_cast<int>(s);
            const int height = static_cast<int>(z);
            near[i] = line * stride + height;
            across[i] = static_cast<float>(s - line);
            up[i] = static_cast<float>(z - height);
        }
        float* __restrict const out = sums + begin;
        for (std::size_t i = 0; i < count; ++i) {
            const float one = low[near[i]] + up[i] * (low[near[i] + 1] - low[near[i]]);
            const float two = high[near[i]] + up[i] * (high[near[i] + 1] - high[near[i]]);
            out[i] += weight * (one + across[i] * (two - one));
        }
    }
}

/// The lines [begin, end) of `count` that lie between points of a plane. Beyond it there is nothing.
std::array<std::size_t, 2> onPlane(const Row& row, std::size_t count, const MovedLines::Grid& grid) {
    const auto lines = static_cast<double>(grid.radial.count - 1);
    const auto heights = static_cast<double>(grid.heights.count - 1);
    const auto outside = [&](std::size_t i) {
        const double s = row.s(i);
        const double z = row.z(i);
        return !(s >= 0 && s < lines && z >= 0 && z < heights);
    };
    std::size_t begin = 0;
    while (begin < count && outside(begin)) {
        ++begin;
    }
    std::size_t end = count;
    while (end > begin && outside(end - 1)) {
        --end;
    }
    return {begin, end};
}

}  // namespace

MovedLines::MovedLines(const Grid& grid, const Fill& fill, const ThreadPool& pool) : grid_(grid) {
    const std::size_t azimuths = grid_.directions + 1;  // the last one is the first of the next period
    table_ = largeArray<float>(azimuths * grid_.tilts * planeSize(), pool);
    pool.forRange(azimuths * grid_.tilts, 1, [&](std::size_t i, std::size_t) {
        const std::size_t azimuth = i / grid_.tilts;
        const double share =
            static_cast<double>(azimuth) / static_cast<double>(grid_.directions);  // of the period
        const double sine = sineAt(i % grid_.tilts);
        fill(share * grid_.period_rad, sine / std::sqrt(1 - sine * sine), table_.data() + i * planeSize());
    });
}

Samples MovedLines::heightsOf(const std::vector<DetectorModule>& modules) {
    constexpr double kHeightStep_mm = 4;  // a crystal's pitch
    constexpr double kMostHeights = 128;  // of a scanner a metre long: what it sees changes over as much more
    double highest = 0;
    for (const DetectorModule& module : modules) {
        const double half = module.half(0) * std::abs(module.axes[0].z) +
                            module.half(1) * std::abs(module.axes[1].z) +
                            module.crystal[2] * std::abs(module.axes[2].z);
        highest = std::max(highest, std::abs(module.centre.z) + half);
    }
    return Samples::covering(highest, std::max(kHeightStep_mm, 2 * highest / kMostHeights));
}

/// Slopes are even in the sine, as directions of the sphere are.
double MovedLines::sineAt(std::size_t tilt) const {
    return std::sin(grid_.acceptance_rad) *
           (2 * static_cast<double>(tilt) / static_cast<double>(grid_.tilts - 1) - 1);
}

/// Interpolates between four planes of the table, over lines at the distances from the axis that are needed;
/// `azimuth` in [0, pi).
void MovedLines::blend(double azimuth, double sine, std::array<double, 2> distances,
                       std::vector<float>& plane) const {
    const double turns = azimuth / grid_.period_rad;
    const Samples azimuths{grid_.directions + 1, 0, 1};
    const Samples tilts{grid_.tilts, 0, 1};
    const Between a = azimuths.locate((turns - std::floor(turns)) * static_cast<double>(grid_.directions));
    const Between t = tilts.locate(0.5 * (1 + sine / std::sin(grid_.acceptance_rad)) *
                                   static_cast<double>(grid_.tilts - 1));
    const float* const low = table_.data() + (a.index * grid_.tilts + t.index) * planeSize();
    const float* const high = low + grid_.tilts * planeSize();
    plane.resize(planeSize());
    const std::size_t rows = grid_.heights.count;
    const std::size_t end = (grid_.radial.locate(distances[1]).index + 2) * rows;
    for (std::size_t i = grid_.radial.locate(distances[0]).index * rows; i < end; ++i) {
        const float one = low[i] + t.weight * (low[planeSize() + i] - low[i]);
        const float two = high[i] + t.weight * (high[planeSize() + i] - high[i]);
        plane[i] = one + a.weight * (two - one);
    }
}

void MovedLines::fill(const PoseShares& poses, const Direction& direction, std::size_t number,
                      const Samples& radial, const Samples& heights, std::vector<float>& plane,
                      float* means) const {
    constexpr std::size_t kMost = 32;
    std::fill_n(means, radial.count * heights.count, 0.0F);
    const std::vector<WeighedPose>& all = poses.poses();
    for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
        WeighedPose one = all[i];
        if (all.size() > kMost) {
            const double share = static_cast<double>(number) * kGoldenRatio;
            one.pose = all[poses.at((static_cast<double>(i) + share - std::floor(share)) / kMost)].pose;
            one.weight = 1.0 / kMost;
        }
        add(one, direction, radial, heights, plane, means);
    }
}

void MovedLines::add(const WeighedPose& pose, const Direction& direction, const Samples& radial,
                     const Samples& heights, std::vector<float>& plane, float* sums) const {
    const double cosine = 1 / std::sqrt(1 + direction.tangent * direction.tangent);
    Vec3 d = pose.pose.turned(cosine * (direction.along + Vec3{0, 0, direction.tangent}));
    d = d.y < 0 || (d.y == 0 && d.x < 0) ? -d : d;  // a line has no sense: azimuths lie in [0, pi)
    const double flat = std::hypot(d.x, d.y);
    const Vec3 up = pose.pose.turned({0, 0, 1});
    constexpr double kLeast = 1e-9;  // where a turn leaves the tilt as it is, to first order
    const double half =
        std::max(kLeast, 0.5 * direction.width *
                             std::abs(up.z - direction.tangent * pose.pose.turned(direction.along).z));
    const double last = std::sin(grid_.acceptance_rad);
    const double within = std::min(last - std::abs(d.z), half) + half;  // of the tilts that it stands for
    if (!(within > 0) || !(flat > 0)) {
        return;
    }
    const Vec3 along{d.x / flat, d.y / flat, 0};
    const Vec3 across{-along.y, along.x, 0};
    const double middle = dot(pose.pose.shift, across);
    const double reach = std::abs(radial.first * dot(pose.pose.turned(direction.radial), across)) +
                         std::max(std::abs(heights.first), std::abs(heights.at(heights.count - 1))) *
                             std::abs(dot(up, across));
    blend(std::atan2(d.y, d.x), std::copysign(std::abs(d.z) - half + 0.5 * within, d.z),
          {middle - reach, middle + reach}, plane);
    const double slope = d.z / flat;
    const auto weight = static_cast<float>(pose.weight * within / (2 * half));
    // Where the moved line passes the axis goes straight with the height at which it did before.
    const double sStep = heights.step * dot(up, across) / grid_.radial.step;
    const double zStep = heights.step * (up.z - slope * dot(up, along)) / grid_.heights.step;
    for (std::size_t s = 0; s < radial.count; ++s) {
        const Vec3 p = pose.pose.moved(radial.at(s) * direction.radial + Vec3{0, 0, heights.first});
        const double s0 = (dot(p, across) - grid_.radial.first) / grid_.radial.step;
        const double z0 = (p.z - slope * dot(p, along) - grid_.heights.first) / grid_.heights.step;
        float* const column = sums + s * heights.count;
        const Row row{s0, sStep, z0, zStep};
        const auto [begin, end] = onPlane(row, heights.count, grid_);
        addBetween(plane.data(), static_cast<int>(grid_.heights.count), row, begin, end, weight, column);
    }
}

}  // namespace tof
