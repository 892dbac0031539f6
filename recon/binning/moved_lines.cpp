// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/moved_lines.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/large_array.h"

namespace tof {

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

/// Slopes are even in the sine, as directions of the sphere are.
double MovedLines::sineAt(std::size_t tilt) const {
    return std::sin(grid_.acceptance_rad) *
           (2 * static_cast<double>(tilt) / static_cast<double>(grid_.tilts - 1) - 1);
}

/// Interpolates between four planes of the table; `azimuth` in [0, pi).
void MovedLines::blend(double azimuth, double sine, std::vector<float>& plane) const {
    const double turns = azimuth / grid_.period_rad;
    const Samples azimuths{grid_.directions + 1, 0, 1};
    const Samples tilts{grid_.tilts, 0, 1};
    const Between a = azimuths.locate((turns - std::floor(turns)) * static_cast<double>(grid_.directions));
    const Between t = tilts.locate(0.5 * (1 + sine / std::sin(grid_.acceptance_rad)) *
                                   static_cast<double>(grid_.tilts - 1));
    const float* const low = table_.data() + (a.index * grid_.tilts + t.index) * planeSize();
    const float* const high = low + grid_.tilts * planeSize();
    plane.resize(planeSize());
    for (std::size_t i = 0; i < planeSize(); ++i) {
        const float one = low[i] + t.weight * (low[planeSize() + i] - low[i]);
        const float two = high[i] + t.weight * (high[planeSize() + i] - high[i]);
        plane[i] = one + a.weight * (two - one);
    }
}

float MovedLines::at(const std::vector<float>& plane, double s, double z0) const {
    if (std::abs(s) > -grid_.radial.first || std::abs(z0) > -grid_.heights.first) {
        return 0;
    }
    const Between r = grid_.radial.locate(s);
    const Between h = grid_.heights.locate(z0);
    const float* const near = plane.data() + r.index * grid_.heights.count + h.index;
    const float* const far = near + grid_.heights.count;
    const float one = near[0] + h.weight * (near[1] - near[0]);
    const float two = far[0] + h.weight * (far[1] - far[0]);
    return one + r.weight * (two - one);
}

void MovedLines::add(const WeighedPose& pose, const Direction& direction, const Samples& radial,
                     const Samples& heights, std::vector<float>& plane, float* sums) const {
    const double cosine = 1 / std::sqrt(1 + direction.tangent * direction.tangent);
    Vec3 d = pose.pose.turned(cosine * (direction.along + Vec3{0, 0, direction.tangent}));
    d = d.y < 0 || (d.y == 0 && d.x < 0) ? -d : d;  // a line has no sense: azimuths lie in [0, pi)
    const double flat = std::hypot(d.x, d.y);
    if (std::abs(d.z) > std::sin(grid_.acceptance_rad) || !(flat > 0)) {
        return;
    }
    blend(std::atan2(d.y, d.x), d.z, plane);
    const Vec3 along{d.x / flat, d.y / flat, 0};
    const Vec3 across{-along.y, along.x, 0};
    const double slope = d.z / flat;
    const auto weight = static_cast<float>(pose.weight);
    // Where the moved line passes the axis goes straight with the height at which it did before.
    const Vec3 up = pose.pose.turned({0, 0, 1});
    for (std::size_t s = 0; s < radial.count; ++s) {
        const Vec3 foot = pose.pose.moved(radial.at(s) * direction.radial);
        for (std::size_t z = 0; z < heights.count; ++z) {
            const Vec3 p = foot + heights.at(z) * up;
            sums[s * heights.count + z] += weight * at(plane, dot(p, across), p.z - slope * dot(p, along));
        }
    }
}

}  // namespace tof
