// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/event_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "recon/base/constants.h"

namespace tof {

namespace {

constexpr double kBlock_mm = 16;
constexpr int kOrderAzimuths = 12;
constexpr int kBits = 10;  // per axis
constexpr double kBlocks = 1 << kBits;

/// Spreads ten bits to every third place.
std::uint32_t spread(std::uint32_t bits) {
    std::uint32_t out = 0;
    for (int i = 0; i < kBits; ++i) {
        out |= ((bits >> i) & 1U) << (3 * i);
    }
    return out;
}

std::uint32_t blockOf(double mm) {
    return static_cast<std::uint32_t>(std::clamp(std::floor(mm / kBlock_mm) + kBlocks / 2, 0.0, kBlocks - 1));
}

std::uint64_t keyOf(const LineEvents& events, std::size_t event) {
    const auto [c1, c2] = events.pairs[event];
    const Vec3 one = events.points[c1];
    const Vec3 two = events.points[c2];
    const Vec3 along = two - one;
    const double length = norm(along);
    Vec3 at = 0.5 * (one + two);
    if (events.tof.count > 0 && length > 0) {
        at = at + static_cast<double>(events.dt_ps[event]) * kMmPerPs / length * along;
    }
    const double turns = std::atan2(along.y, along.x) / kPi;
    const auto azimuth = static_cast<std::uint64_t>((turns - std::floor(turns)) * kOrderAzimuths);
    const std::uint64_t block =
        spread(blockOf(at.x)) | spread(blockOf(at.y)) << 1U | spread(blockOf(at.z)) << 2U;
    return block << 4U | azimuth;
}

}  // namespace

std::vector<std::uint32_t> nearbyOrder(const LineEvents& events, std::size_t first, std::size_t count) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(count);
    for (std::size_t i = 0; i < count; ++i) {
        keys[i] = {keyOf(events, first + i), static_cast<std::uint32_t>(i)};
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> order(count);
    std::transform(keys.begin(), keys.end(), order.begin(), [](const auto& key) { return key.second; });
    return order;
}

}  // namespace tof
