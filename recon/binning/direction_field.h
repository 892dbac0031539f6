// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/samples.h"
#include "recon/base/view.h"
#include "recon/binning/line_response.h"
#include "recon/binning/surviving_activity.h"

namespace tof {

/// Points of Gauss's rule of two in each of the equal parts, none wider than `part`, of an interval from -1/2
/// to 1/2 that is `width` wide.
[[nodiscard]] std::vector<double> gaussPoints(double width, double part);

/// What survives of the activity along every line of one direction, blurred and averaged over a voxel around
/// each point: per mm3 at points (s, a, u).
class DirectionField {
  public:
    /// Room that one field after the other is made in.
    struct Room {
        std::vector<float> values;
        std::vector<float> sources;
        std::vector<float> sheet;
    };

    /// Uses `room` as long as it is there.
    DirectionField(const SurvivingActivity& activity, const LineResponse& response, const Lattice& lattice,
                   const View& direction, Room& room);

    /// Adds `weight` times the value at every voxel's centre, [y][x][z]; zero where nothing comes to.
    void addTo(const Lattice& lattice, float weight, float* out) const;

  private:
    /// Lines of a sheet that something lies on, or sheets of the field.
    struct Filled {
        std::size_t first = 0;
        std::size_t end = 0;
        void add(std::size_t at);
    };

    [[nodiscard]] std::size_t sheetSize() const { return a_.count * u_.count; }
    /// A line of what is not blurred across yet, [s][a][u].
    [[nodiscard]] float* line(std::size_t i, std::size_t j) {
        return room_.values.data() + i * sheetSize() + j * u_.count;
    }
    void sample(const SurvivingActivity& activity, const LineResponse& response, const Lattice& lattice);
    void addLines(const SurvivingActivity& activity, const LineResponse& response);
    void addPoint(const SurvivingActivity& activity, const SurvivingActivity::Point& point, double sigma);
    void blurAxially(const std::vector<float>& weights);
    void blurRadially(const LineResponse& response);

    Room& room_;
    ViewAxes axes_;
    Samples s_{0, 0, 1};
    Samples a_;
    Samples u_;
    std::vector<double> withinS_;  ///< places within a voxel, along each axis
    std::vector<double> withinA_;
    std::vector<double> withinU_;
    std::vector<Filled> filled_;  ///< lines, by sheet
    Filled sheets_;
};

}  // namespace tof
