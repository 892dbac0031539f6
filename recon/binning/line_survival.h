// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/base/samples.h"
#include "recon/binning/column_loops.h"

namespace tof {

/// What is left of photon pairs on lines of one direction and distance from the axis, at many heights at
/// once.
///
/// Attenuation is kept as columns of evenly spaced heights, so that a line's neighbours above and below add
/// up the same columns, shifted as one. Immutable; share between threads.
class LineSurvival {
  public:
    /// `heights`: where lines pass the axis. Lines may be tilted by up to `tangent`. Keeps nothing of
    /// `attenuation`, which is in 1/mm.
    LineSurvival(const Volume& attenuation, const Samples& heights, double tangent, const ThreadPool& pool);

    /// exp(-integral of mu along the line) for the lines through `foot`, in the plane at each height, along
    /// the transverse unit vector `along` and climbing by `tangent` per mm of it; a value for each height.
    /// `crossed` is room to work in.
    void along(Vec3 foot, Vec3 along, double tangent, std::vector<ShiftedColumn>& crossed,
               float* survival) const;

  private:
    [[nodiscard]] const float* column(int x, int y) const {
        return columns_.data() + plane_.index(x, y, 0) * stored_;
    }

    ColumnLoops loops_;
    Lattice plane_;  ///< lattice of one slice
    std::size_t heights_;
    double step_mm_;
    std::size_t margin_;  ///< heights stored below and above those of lines
    std::size_t stored_;
    std::vector<float> columns_;  ///< [y][x][height], 1/mm, the means between the heights around
};

}  // namespace tof
