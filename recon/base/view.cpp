// SPDX-License-Identifier: Apache-2.0
#include "recon/base/view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

struct SinCos {
    double sine;
    double cosine;
};

SinCos exactSinCos(double angle) {
    constexpr double kRounding = 1e-14;  // a few units of rounding of pi/2 multiples in double
    SinCos result{std::sin(angle), std::cos(angle)};
    if (std::abs(result.cosine) < kRounding) {
        result = {std::copysign(1.0, result.sine), 0.0};
    } else if (std::abs(result.sine) < kRounding) {
        result = {0.0, std::copysign(1.0, result.cosine)};
    }
    return result;
}

/// Angle between two undirected lines, 0 .. pi/2.
double lineAngle(Vec3 a, Vec3 b) {
    return std::acos(std::min(1.0, std::abs(dot(a, b))));
}

}  // namespace

ViewAxes View::axes() const {
    const auto [sinPhi, cosPhi] = exactSinCos(phi);
    const auto [sinTheta, cosTheta] = exactSinCos(theta);
    return {{cosTheta * cosPhi, cosTheta * sinPhi, sinTheta},
            {-sinPhi, cosPhi, 0.0},
            {-sinTheta * cosPhi, -sinTheta * sinPhi, cosTheta}};
}

ViewGrid::ViewGrid(int azimuths, int tilts, double acceptance_rad)
    : azimuths_(azimuths), tilts_(tilts), acceptance_(acceptance_rad) {
    if (azimuths < 1 || azimuths > 4096 || tilts < 1 || tilts > 255) {
        throw WrongUse("{} x {} views: azimuths must be 1 to 4096, tilts 1 to 255", azimuths, tilts);
    }
    if (!(acceptance_rad > 0) || !(acceptance_rad < kPi / 2)) {
        throw WrongUse("the axial acceptance must lie between 0 and 90 degrees");
    }
}

View ViewGrid::view(std::size_t index) const {
    const auto azimuth = static_cast<int>(index % static_cast<std::size_t>(azimuths_));
    const auto tilt = static_cast<int>(index / static_cast<std::size_t>(azimuths_));
    // (2 j + 1 - N) is zero for the middle interval, so the untilted view is exactly untilted.
    return {azimuth * kPi / azimuths_, acceptance_ * (2 * tilt + 1 - tilts_) / tilts_};
}

std::vector<View> ViewGrid::views() const {
    std::vector<View> result;
    result.reserve(count());
    for (std::size_t index = 0; index < count(); ++index) {
        result.push_back(view(index));
    }
    return result;
}

bool ViewGrid::accepts(Vec3 d) const {
    return std::abs(std::atan2(d.z, std::hypot(d.x, d.y))) <= acceptance_;  // false for what is no number
}

std::optional<ViewGrid::Cell> ViewGrid::cell(Vec3 d) const {
    return accepts(d) ? std::optional(nearestCell(d)) : std::nullopt;
}

ViewGrid::Cell ViewGrid::nearestCell(Vec3 d) const {
    double tilt = std::clamp(std::atan2(d.z, std::hypot(d.x, d.y)), -acceptance_, acceptance_);
    double phi = std::atan2(d.y, d.x);  // -pi .. pi
    bool flipped = false;
    if (phi < 0) {
        phi += kPi;
        flipped = true;
    }
    auto azimuth = static_cast<int>(std::floor(phi * azimuths_ / kPi + 0.5));
    if (azimuth >= azimuths_) {  // the cell of phi = 0 also holds the lines just below pi, turned round
        azimuth -= azimuths_;
        flipped = !flipped;
    }
    if (flipped) {
        tilt = -tilt;
    }
    const auto interval = static_cast<int>(std::floor((tilt + acceptance_) * tilts_ / (2 * acceptance_)));
    const int row = std::clamp(interval, 0, tilts_ - 1);
    return Cell{static_cast<std::size_t>(row) * static_cast<std::size_t>(azimuths_) +
                    static_cast<std::size_t>(azimuth),
                flipped};
}

double ViewGrid::solidAngleFraction(std::size_t index) const {
    const auto tilt = static_cast<int>(index / static_cast<std::size_t>(azimuths_));
    const double step = 2 * acceptance_ / tilts_;
    const double low = -acceptance_ + tilt * step;
    return (std::sin(low + step) - std::sin(low)) / (2.0 * azimuths_);
}

namespace {

std::vector<std::size_t> farApart(const std::vector<Vec3>& axes, std::uint64_t seed) {
    // Farthest-first: each next direction maximises a repulsion from the recent ones, weighted by how recent
    // they are.
    const std::size_t n = axes.size();
    std::vector<std::size_t> order;
    if (n == 0) {
        return order;
    }
    std::vector<double> penalty(n, 0.0);
    std::vector<char> used(n, 0);
    constexpr double kMemory = 0.7;  // weight of a step older by one
    auto current = static_cast<std::size_t>((seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL) % n);
    order.reserve(n);
    while (true) {
        used[current] = 1;
        order.push_back(current);
        if (order.size() == n) {
            return order;
        }
        std::size_t best = n;
        for (std::size_t i = 0; i < n; ++i) {
            penalty[i] = kMemory * penalty[i] + 1.0 / (0.02 + lineAngle(axes[i], axes[current]));
            if (used[i] == 0 && (best == n || penalty[i] < penalty[best])) {
                best = i;
            }
        }
        current = best;
    }
}

}  // namespace

std::vector<std::size_t> geometricOrder(const std::vector<View>& views, std::uint64_t seed) {
    std::vector<Vec3> axes(views.size());
    std::transform(views.begin(), views.end(), axes.begin(), [](const View& v) { return v.axes().u; });
    return farApart(axes, seed);
}

std::vector<std::size_t> azimuthOrder(const std::vector<double>& azimuths, std::uint64_t seed) {
    std::vector<Vec3> axes(azimuths.size());
    std::transform(azimuths.begin(), azimuths.end(), axes.begin(), [](double azimuth) {
        const auto [sine, cosine] = exactSinCos(azimuth);
        return Vec3{cosine, sine, 0};
    });
    return farApart(axes, seed);
}

std::vector<std::size_t> spreadOrder(std::size_t parts, std::uint64_t seed) {
    std::vector<double> azimuths(parts);
    for (std::size_t part = 0; part < parts; ++part) {
        azimuths[part] = kPi * static_cast<double>(part) / static_cast<double>(parts);
    }
    return azimuthOrder(azimuths, seed);
}

}  // namespace tof
