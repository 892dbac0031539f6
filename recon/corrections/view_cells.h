// SPDX-License-Identifier: Apache-2.0
// The cells of directions that views stand for. Internal to recon/corrections.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/view.h"

namespace tof {

/// How many azimuths and tilts views divide their directions into.
struct ViewCells {
    std::size_t azimuths = 1;
    std::size_t tilts = 1;

    explicit ViewCells(const std::vector<View>& views) {
        std::vector<double> seen;
        for (const View& view : views) {
            if (std::none_of(seen.begin(), seen.end(),
                             [&](double t) { return std::abs(t - view.theta) < 1e-9; })) {
                seen.push_back(view.theta);
            }
        }
        tilts = std::max<std::size_t>(seen.size(), 1);
        azimuths = std::max<std::size_t>(views.size() / tilts, 1);
    }
};

/// Places in [-1/2, 1/2]: the middles of equal parts.
[[nodiscard]] inline double middleOf(std::size_t i, std::size_t n) {
    return (static_cast<double>(i) + 0.5) / static_cast<double>(n) - 0.5;
}

/// Directions all over a view's cell. Every tilt has azimuths of its own between those of the others: few
/// that are the same in all views meet the gaps between modules in step (6 made waves of 4 % across the
/// lines).
inline constexpr std::size_t kCellAzimuths = 8;
inline constexpr std::size_t kCellTilts = 3;
inline constexpr std::size_t kCellDirections = kCellAzimuths * kCellTilts;

/// Sines of the lowest and the highest tilt of a view's cell.
[[nodiscard]] inline std::array<double, 2> sinesOf(const View& view, const ViewCells& cells,
                                                   double acceptance_rad) {
    const double half = acceptance_rad / static_cast<double>(cells.tilts);
    return {std::sin(view.theta - half), std::sin(view.theta + half)};
}

/// Calls visit(azimuth less the view's, sine of the tilt) for every direction of a view's cell.
template <class Visit>
void forDirectionsOf(const View& view, const ViewCells& cells, double acceptance_rad, const Visit& visit) {
    const auto [low, high] = sinesOf(view, cells, acceptance_rad);
    for (std::size_t i = 0; i < kCellDirections; ++i) {
        visit(middleOf(i, kCellDirections) * kPi / static_cast<double>(cells.azimuths),
              0.5 * (low + high) + middleOf(i % kCellTilts, kCellTilts) * (high - low));
    }
}

}  // namespace tof
