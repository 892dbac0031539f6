// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    std::vector<std::uint32_t> tables;  ///< [view]
    std::vector<float> shares;          ///< [view]: what the values of its table are multiplied by
    std::vector<float> values;          ///< [table][along][radial][slice]
    /// Voxels that take values of their own, by index in a view; ascending. att: those that matter fills in
    /// part.
    std::vector<std::uint32_t> voxels;
    std::vector<float> inVoxels;  ///< [view][voxel]

    [[nodiscard]] std::size_t tableSize() const { return along.count * radial.count * slices; }

    /// The voxels of a view from its table and its row of `inVoxels`.
    void expand(const Lattice& lattice, double phi, float share, const float* table, const float* ofVoxels,
                float* out) const;
    /// All voxels, [view][z][y][x].
    [[nodiscard]] std::vector<float> expanded(const Lattice& lattice, const std::vector<View>& views,
                                              const ThreadPool& pool) const;
};

/// The four columns of points around a place, from which it is interpolated.
class FactorColumns {
  public:
    /// `table`: of `grid`, with `heights` values in a column instead of its slices.
    FactorColumns(const FactorGrid& grid, const float* table, std::size_t heights, double along,
                  double radial)
        : u_(grid.along.locate(along)),
          s_(grid.radial.locate(radial)),
          heights_(heights),
          near_(table + (u_.index * grid.radial.count + s_.index) * heights),
          far_(near_ + grid.radial.count * heights) {}
    [[nodiscard]] float at(std::size_t z) const {
        const float a = near_[z] + s_.weight * (near_[z + heights_] - near_[z]);
        const float b = far_[z] + s_.weight * (far_[z + heights_] - far_[z]);
        return a + u_.weight * (b - a);
    }

  private:
    Between u_;
    Between s_;
    std::size_t heights_;
    const float* near_;
    const float* far_;
};

}  // namespace tof
