// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "recon/systems/lines/event_path.h"
#include "recon/systems/lines/line_model.h"
#include "recon/systems/lines/line_operator.h"

namespace tof {

/// Follows the lines of a model on the host as devices follow events: in single precision after a set-up in
/// double, Joseph's planes many at once. Images have a margin of voxels around the lattice, so that no plane
/// asks where the lattice ends: what is in it must be zero to project, and is worth nothing after a back
/// projection. The same bits by every instruction set.
class LineWalk {
  public:
    /// A line with its time bin, which is ignored without time of flight.
    struct Line {
        Vec3 one;
        Vec3 two;
        int timeBin;
    };

    LineWalk(const LineModel& model, const RayTof& tof);

    /// Floats of an image with its margin.
    [[nodiscard]] std::size_t paddedSize() const;
    /// Rows along x of the lattice, y first.
    [[nodiscard]] std::size_t rows() const;
    /// Where a row of the lattice begins in an image with its margin.
    [[nodiscard]] std::size_t rowStart(std::size_t row) const;
    /// Sum of the coefficients in mm times the voxels of an image with its margin.
    [[nodiscard]] float project(const Line& line, const float* padded) const;
    /// Adds the coefficients times `value` to an image with its margin.
    void spread(const Line& line, float value, float* padded) const;

  private:
    LineOperator op_;  ///< its strides are those of images with their margins
    TimeTable times_;
};

}  // namespace tof
