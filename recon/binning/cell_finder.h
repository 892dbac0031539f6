// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/base/view.h"

namespace tof {

/// What ViewGrid::accepts() and ViewGrid::nearestCell() say, without their trigonometry.
///
/// Angles are compared by tables and by slopes; a line that lies nearer to an edge than rounding reaches is
/// left to the grid itself, so that every answer is the grid's. Immutable; share between threads.
class CellFinder {
  public:
    explicit CellFinder(const ViewGrid& grid);

    [[nodiscard]] bool accepts(Vec3 d) const {
        const double flat = d.x * d.x + d.y * d.y;
        const double limit = flat * steepest_;
        const double height = d.z * d.z;
        if (flat > kShortest && height < limit * (1 - kClose)) {
            return true;
        }
        if (flat > kShortest && height > limit * (1 + kClose)) {
            return false;
        }
        return grid_.accepts(d);
    }

    /// The index of the cell.
    [[nodiscard]] std::size_t nearest(Vec3 d) const {
        const double flat = d.x * d.x + d.y * d.y;
        const bool below = d.y < 0;
        const double x = below ? -d.x : d.x;
        const double y = below ? -d.y : d.y;
        const double ratio = y / (std::abs(x) + y);
        const double place = (x < 0 ? 2 - ratio : ratio) * binsPerUnit_;
        if (!(flat > kShortest) || !(y > 0) || !(place < static_cast<double>(azimuths_.size()))) {
            return grid_.nearestCell(d).index;
        }
        const std::int32_t azimuth = azimuths_[static_cast<std::size_t>(place)];
        if (azimuth < 0) {
            return grid_.nearestCell(d).index;
        }
        // The cell of phi = 0 also holds the lines just below pi, turned round.
        const bool turned = azimuth == grid_.azimuths();
        const double slope = (below != turned ? -d.z : d.z) / std::sqrt(flat);
        const double close = kClose * (1 + slope * slope);
        std::size_t row = 0;
        bool onEdge = false;
        for (const double edge : slopes_) {
            row += slope > edge ? 1U : 0U;
            onEdge = onEdge || std::abs(slope - edge) < close;
        }
        if (onEdge || std::isnan(slope)) {
            return grid_.nearestCell(d).index;
        }
        return row * static_cast<std::size_t>(grid_.azimuths()) +
               (turned ? 0 : static_cast<std::size_t>(azimuth));
    }

  private:
    static constexpr double kClose = 1e-9;       ///< relative; roundings are some 1e-15
    static constexpr double kShortest = 1e-100;  ///< the least of squares: shorter ones lose digits

    ViewGrid grid_;
    double steepest_;  ///< squared slope at the acceptance
    double binsPerUnit_ = 0;
    /// By y/(|x| + y), from 0 to 1, and on to 2 where x is negative; -1 where an edge is near.
    std::vector<std::int32_t> azimuths_;
    std::vector<double> slopes_;  ///< between the rows of cells, ascending
};

}  // namespace tof
