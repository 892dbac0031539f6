// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/cell_finder.h"

#include <algorithm>

#include "recon/base/constants.h"

namespace tof {

namespace {

/// Where the direction at an angle in (0, pi) stands in the order of CellFinder's table.
double placeOf(double angle) {
    const double x = std::cos(angle);
    const double y = std::sin(angle);
    const double ratio = y / (std::abs(x) + y);
    return x < 0 ? 2 - ratio : ratio;
}

}  // namespace

CellFinder::CellFinder(const ViewGrid& grid) : grid_(grid) {
    const double slope = std::tan(grid.acceptance());
    steepest_ = slope * slope;
    const auto azimuths = static_cast<std::size_t>(grid.azimuths());
    const std::size_t bins = std::max<std::size_t>(4096, 64 * azimuths);
    binsPerUnit_ = 0.5 * static_cast<double>(bins);
    azimuths_.assign(bins, -1);
    // Bins between two edges, less those that an edge lies in or touches.
    for (std::size_t cell = 0; cell <= azimuths; ++cell) {
        const double width = kPi / static_cast<double>(azimuths);
        const double low = cell == 0 ? 0.0 : placeOf((static_cast<double>(cell) - 0.5) * width);
        const double high = cell == azimuths ? 2.0 : placeOf((static_cast<double>(cell) + 0.5) * width);
        const double first = std::floor((low + kClose) * binsPerUnit_) + (cell == 0 ? 0 : 1);
        const double last = std::floor((high - kClose) * binsPerUnit_) - (cell == azimuths ? 0 : 1);
        for (double bin = first; bin <= last; ++bin) {
            azimuths_[static_cast<std::size_t>(bin)] = static_cast<std::int32_t>(cell);
        }
    }
    for (int row = 1; row < grid.tilts(); ++row) {
        slopes_.push_back(std::tan(grid.acceptance() * (2.0 * row / grid.tilts() - 1)));
    }
}

}  // namespace tof
