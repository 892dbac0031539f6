// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/base/vec3.h"
#include "recon/scanner/michelogram.h"

namespace tof {

/// Events in a part of list-mode: at most 5 x 2^20, as larger ones cost a device less
/// (docs/measurements/lines.md), in numbers of parts that the usual numbers of subsets divide, and of which
/// 2, 4 and 8 ranks have as many each: multiples of 24, or 16 for a list of no more such parts. A list too
/// short for 16 parts of 2048 has 12, 8, 4, 2 or 1.
[[nodiscard]] constexpr std::size_t usualPartSize(std::size_t events) {
    constexpr std::size_t kMost = std::size_t{5} << 20U;
    constexpr std::size_t kFewest = std::size_t{1} << 11U;
    constexpr std::size_t kFew = 16;
    constexpr std::size_t kMany = 24;
    const auto divided = [](std::size_t all, std::size_t each) { return (all + each - 1) / each; };
    std::size_t parts = kFew;
    if (events > kFew * kMost) {
        parts = kMany * divided(divided(events, kMost), kMany);
    } else if (events < kFew * kFewest) {
        const std::size_t fit = std::max<std::size_t>(events / kFewest, 1);
        parts = fit < 4 ? std::bit_floor(fit) : fit / 4 * 4;
    }
    return std::max(divided(events, parts), kFewest);
}

/// List-mode as a projector needs it: one line between two crystals per event. Plain data.
struct LineEvents {
    std::vector<Vec3> points;  ///< reference point of every crystal, mm
    std::vector<std::array<std::uint32_t, 2>> pairs;
    /// t1 - t2 per event, positive nearer crystal 2; empty without time of flight. Taken to the time bin of
    /// `tof` that holds it.
    std::vector<float> dt_ps;
    TofBins tof;
    std::size_t eventsPerPart = std::size_t{1} << 20U;
    /// First event of each part where parts are not alike; none is larger than the first one, which has
    /// eventsPerPart. Empty: a part every eventsPerPart.
    std::vector<std::size_t> firsts;

    [[nodiscard]] std::size_t parts() const {
        return firsts.empty() ? (pairs.size() + eventsPerPart - 1) / eventsPerPart : firsts.size();
    }
    [[nodiscard]] std::size_t firstOf(std::size_t part) const {
        return firsts.empty() ? part * eventsPerPart : firsts[part];
    }
    [[nodiscard]] std::size_t partSize(std::size_t part) const {
        const std::size_t end = part + 1 < parts() ? firstOf(part + 1) : pairs.size();
        return end - firstOf(part);
    }
};

/// Reference point of every crystal of a ring scanner, by index.
[[nodiscard]] inline std::vector<Vec3> ringPoints(const RingScanner& scanner) {
    std::vector<Vec3> points;
    const auto crystals = static_cast<std::uint32_t>(scanner.rings * scanner.crystalsPerRing);
    points.reserve(crystals);
    for (std::uint32_t c = 0; c < crystals; ++c) {
        points.push_back(scanner.reference(c));
    }
    return points;
}

}  // namespace tof
