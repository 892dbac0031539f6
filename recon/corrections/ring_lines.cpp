// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/ring_lines.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/corrections/interpolation_loops.h"

namespace tof {

namespace {

constexpr std::size_t kBlurredAtATime = 64;

/// The weights of the values before, at, behind and two behind a place `f` of the way between the middle two.
std::array<double, 4> cubicWeights(double f) {
    const double g = 1 - f;
    return {-0.5 * f * g * g, 0.5 * (2 - 5 * f * f + 3 * f * f * f), 0.5 * (2 - 5 * g * g + 3 * g * g * g),
            -0.5 * g * f * f};
}

}  // namespace

CoarseRing CoarseRing::of(const Scanner& scanner, double step_mm, double rowStep_mm) {
    double radius = 0;
    double low = 0;
    double high = 0;
    for (std::uint32_t c = 0; c < scanner.crystals.size(); ++c) {
        const Vec3 at = scanner.reference(c);
        radius += std::hypot(at.x, at.y);
        low = std::min(low, at.z);
        high = std::max(high, at.z);
    }
    radius /= static_cast<double>(std::max<std::size_t>(scanner.crystals.size(), 1));
    const auto around = static_cast<std::size_t>(std::lround(2 * kPi * radius / step_mm));
    const auto along = static_cast<std::size_t>(std::lround((high - low) / rowStep_mm)) + 1;
    const std::size_t rows = std::max<std::size_t>(along, 5);
    return {radius,
            std::max<std::size_t>(around, 24),
            {rows, low, std::max(high - low, 1.0) / static_cast<double>(rows - 1)}};
}

Vec3 CoarseRing::outward(std::size_t detector) const {
    const double phi = 2 * kPi * static_cast<double>(detector % azimuths) / static_cast<double>(azimuths);
    return {std::cos(phi), std::sin(phi), 0};
}

Vec3 CoarseRing::at(std::size_t detector) const {
    const Vec3 o = outward(detector);
    return {radius_mm * o.x, radius_mm * o.y, heights.at(detector / azimuths)};
}

LineFunction::LineFunction(const CoarseRing& ring, const Samples& along) : ring_(ring), along_(along) {
    for (std::uint32_t one = 0; one < ring.size(); ++one) {
        for (std::uint32_t two = one + 1; two < ring.size(); ++two) {
            pairs_.push_back({one, two});
        }
    }
    values_.assign(pairs_.size() * along.count, 0.0F);
}

std::size_t LineFunction::indexOf(std::size_t one, std::size_t two) const {
    return one * ring_.size() - one * (one + 1) / 2 + two - one - 1;
}

void LineFunction::blur(double sigma_mm, const ThreadPool& pool) {
    const auto reach = static_cast<std::ptrdiff_t>(std::ceil(4 * sigma_mm / along_.step));
    std::vector<double> weights;
    double sum = 0;
    for (std::ptrdiff_t i = -reach; i <= reach; ++i) {
        const double d = static_cast<double>(i) * along_.step;
        weights.push_back(sigma_mm > 0 ? std::exp(-0.5 * d * d / (sigma_mm * sigma_mm)) : 1.0);
        sum += weights.back();
    }
    const auto count = static_cast<std::ptrdiff_t>(along_.count);
    for (double& weight : weights) {
        weight /= sum;
    }
    pool.forRange(pairs_.size(), kBlurredAtATime, [&](std::size_t begin, std::size_t end) {
        std::vector<double> row(along_.count);
        for (std::size_t pair = begin; pair < end; ++pair) {
            float* const own = values(pair);
            std::fill(row.begin(), row.end(), 0.0);
            for (std::ptrdiff_t from = 0; from < count; ++from) {
                if (own[from] == 0.0F) {
                    continue;  // most places of most lines
                }
                for (std::ptrdiff_t t = std::max(-reach, -from); t <= reach && from + t < count; ++t) {
                    row[static_cast<std::size_t>(from + t)] +=
                        weights[static_cast<std::size_t>(t + reach)] * static_cast<double>(own[from]);
                }
            }
            std::transform(row.begin(), row.end(), own, [](double v) { return static_cast<float>(v); });
        }
    });
}

void LineFunction::scale(double factor) {
    for (float& value : values_) {
        value *= static_cast<float>(factor);
    }
}

LineFunction::OnLine::OnLine(const LineFunction& function, Vec3 foot, Vec3 d) : function_(function) {
    const CoarseRing& ring = function.ring_;
    const double a = d.x * d.x + d.y * d.y;
    const double b = (foot.x * d.x + foot.y * d.y) / a;
    const double c = (foot.x * foot.x + foot.y * foot.y - ring.radius_mm * ring.radius_mm) / a;
    if (b * b - c <= 0) {
        return;
    }
    const double half = std::sqrt(b * b - c);
    middle_ = -b;
    constexpr std::size_t kNear = 8;  // detectors: four around times two rows
    struct End {
        std::array<std::size_t, kNear> detector;
        std::array<double, kNear> weight;
    };
    std::array<End, 2> ends{};
    for (std::size_t e = 0; e < 2; ++e) {
        const Vec3 p = foot + (middle_ + (e == 0 ? -half : half)) * d;
        const double turn = std::atan2(p.y, p.x) / (2 * kPi) * static_cast<double>(ring.azimuths);
        const double place = turn < 0 ? turn + static_cast<double>(ring.azimuths) : turn;
        const auto lower = static_cast<std::size_t>(place);
        const std::array<double, 4> around = cubicWeights(place - static_cast<double>(lower));
        const Between z = ring.heights.locate(p.z);
        for (std::size_t i = 0; i < kNear; ++i) {
            const std::size_t azimuth = (lower + ring.azimuths + i % 4 - 1) % ring.azimuths;
            const double wz = static_cast<double>(z.weight);
            ends[e].detector[i] = (z.index + i / 4) * ring.azimuths + azimuth;
            ends[e].weight[i] = around[i % 4] * (i / 4 == 0 ? 1 - wz : wz);
        }
    }
    for (std::size_t i = 0; i < kNear; ++i) {
        for (std::size_t j = 0; j < kNear; ++j) {
            const std::size_t one = ends[0].detector[i];
            const std::size_t two = ends[1].detector[j];
            const double weight = ends[0].weight[i] * ends[1].weight[j];
            if (one != two && weight != 0) {
                const std::size_t pair = one < two ? function.indexOf(one, two) : function.indexOf(two, one);
                corners_[count_++] = {function.values_.data() + pair * function.along_.count, weight,
                                      one > two};
            }
        }
    }
}

double LineFunction::OnLine::at(double u) const {
    const Samples& along = function_.along_;
    double sum = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        const Corner& corner = corners_[i];
        const double place = corner.turned ? middle_ - u : u - middle_;
        const double at = (place - along.first) / along.step;
        if (!(at >= 0) || at >= static_cast<double>(along.count - 1)) {
            continue;
        }
        const auto below = static_cast<std::size_t>(at);
        const double share = at - static_cast<double>(below);
        sum += corner.weight * ((1 - share) * static_cast<double>(corner.values[below]) +
                                share * static_cast<double>(corner.values[below + 1]));
    }
    return std::max(sum, 0.0);
}

void LineFunction::OnLine::fill(const Samples& places, float* out) const {
    const Samples& along = function_.along_;
    std::array<std::vector<float>, 2> rows;  // rows of pairs as they are, and turned
    for (auto& row : rows) {
        row.assign(along.count, 0.0F);
    }
    for (std::size_t i = 0; i < count_; ++i) {
        const Corner& corner = corners_[i];
        addScaled(corner.values, static_cast<float>(corner.weight), rows[corner.turned ? 1 : 0].data(),
                  along.count);
    }
    for (std::size_t k = 0; k < places.count; ++k) {
        double sum = 0;
        for (const bool turned : {false, true}) {
            const double place = turned ? middle_ - places.at(k) : places.at(k) - middle_;
            const double at = (place - along.first) / along.step;
            if (!(at >= 0) || at >= static_cast<double>(along.count - 1)) {
                continue;
            }
            const auto below = static_cast<std::size_t>(at);
            const double share = at - static_cast<double>(below);
            const std::vector<float>& row = rows[turned ? 1 : 0];
            sum +=
                (1 - share) * static_cast<double>(row[below]) + share * static_cast<double>(row[below + 1]);
        }
        out[k] = static_cast<float>(std::max(sum, 0.0));
    }
}

double LineFunction::at(Vec3 foot, Vec3 d, double u) const {
    return OnLine(*this, foot, d).at(u);
}

}  // namespace tof
