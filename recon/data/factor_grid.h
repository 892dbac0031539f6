// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/base/samples.h"
#include "recon/base/view.h"

namespace tof {

/// A factor of histo-images as it is computed: at points of every slice that lie evenly along and across a
/// view's azimuth, far apart along it. Voxels take what is interpolated between them, so that a file need not
/// keep a number for each.
///
/// Views that differ by a turn of the scanner onto itself may have one table. All values are finite and not
/// negative.
struct FactorGrid {
    Samples along;        ///< samples of x cos phi + y sin phi, mm
    Samples radial;       ///< samples of y cos phi - x sin phi, mm
    double reach_mm = 0;  ///< voxels whose centres lie this far from the axis, or farther, are 0
    std::size_t slices = 0;
    /// Whether a voxel between points takes their values where the line along its view passes them, not at
    /// its own height. Steep lines rise by more from point to point than their values stay the same for.
    bool alongLines = false;
    std::vector<std::uint32_t> tables;  ///< [view]
    std::vector<float> shares;          ///< [view]: what the values of its table are multiplied by
    std::vector<float> values;          ///< [table][along][radial][slice]
    /// Voxels that take values of their own, by index in a view; ascending. att: those that matter fills in
    /// part.
    std::vector<std::uint32_t> voxels;
    std::vector<float> inVoxels;  ///< [view][voxel]

    [[nodiscard]] std::size_t tableSize() const { return along.count * radial.count * slices; }

    /// The voxels of a view from its table and its row of `inVoxels`.
    void expand(const Lattice& lattice, const View& view, float share, const float* table,
                const float* ofVoxels, float* out) const;
    /// All voxels, [view][z][y][x].
    [[nodiscard]] std::vector<float> expanded(const Lattice& lattice, const std::vector<View>& views,
                                              const ThreadPool& pool) const;
};

/// The four columns of points around a place, from which it is interpolated.
class FactorColumns {
  public:
    /// `table`: of `grid`. `rise`: slices by which the view's lines rise in a mm along it.
    FactorColumns(const FactorGrid& grid, const float* table, double along, double radial, double rise)
        : u_(grid.along.locate(along)),
          s_(grid.radial.locate(radial)),
          slices_(grid.slices),
          near_(table + (u_.index * grid.radial.count + s_.index) * slices_),
          far_(near_ + grid.radial.count * slices_),
          toNear_(rise * (grid.along.at(u_.index) - along)),
          toFar_(toNear_ + rise * grid.along.step) {}
    /// At the slice's own height.
    [[nodiscard]] float at(std::size_t z) const {
        const float a = across(near_, z);
        return a + u_.weight * (across(far_, z) - a);
    }
    /// Where the line through the place in slice `z` passes the points; beyond the outermost slices these
    /// hold.
    [[nodiscard]] float onLine(std::size_t z) const {
        const float a = between(near_, static_cast<double>(z) + toNear_);
        return a + u_.weight * (between(far_, static_cast<double>(z) + toFar_) - a);
    }

  private:
    [[nodiscard]] float across(const float* column, std::size_t z) const {
        return column[z] + s_.weight * (column[z + slices_] - column[z]);
    }
    [[nodiscard]] float between(const float* column, double z) const {
        const double within = std::clamp(z, 0.0, static_cast<double>(slices_ - 1));
        const auto low = static_cast<std::size_t>(within);
        const float a = across(column, low);
        const float b = across(column, std::min(low + 1, slices_ - 1));
        return a + static_cast<float>(within - static_cast<double>(low)) * (b - a);
    }

    Between u_;
    Between s_;
    std::size_t slices_;
    const float* near_;
    const float* far_;
    double toNear_;  ///< slices from the place to where its line passes the points
    double toFar_;
};

}  // namespace tof
