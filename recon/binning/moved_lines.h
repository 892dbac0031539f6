// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/base/samples.h"
#include "recon/base/vec3.h"
#include "recon/motion/pose_shares.h"
#include "recon/scanner/detector.h"

namespace tof {

/// What any line of a scanner has, such as the chance that its pairs are recorded, for lines that move with
/// what is measured.
///
/// A table over azimuth, tilt, distance from the axis and height, between whose points it is interpolated.
/// Lines beyond the acceptance or the material have nothing. Immutable; share between threads.
class MovedLines {
  public:
    struct Grid {
        Samples radial;              ///< distances from the axis, mm
        Samples heights;             ///< heights where lines pass the axis, mm
        std::size_t directions = 1;  ///< azimuths in one period
        std::size_t tilts = 3;       ///< odd: one of them is 0, where the response has a kink
        double period_rad = 0;       ///< turn that carries the scanner onto itself; pi where none does
        double acceptance_rad = 0;
    };
    /// Lines of one direction, as CellRecording has them.
    struct Direction {
        Vec3 along;   ///< transverse unit vector
        Vec3 radial;  ///< transverse unit vector beside it, a quarter turn on
        double tangent = 0;
        double width = 0;  ///< between the sines of neighbouring directions' tilts
    };
    /// Fills the lines along an azimuth and a slope, [radial][height].
    using Fill = std::function<void(double azimuth, double tangent, float* values)>;
    /// Heights at which lines pass the axis that end in modules.
    [[nodiscard]] static Samples heightsOf(const std::vector<DetectorModule>& modules);

    MovedLines(const Grid& grid, const Fill& fill, const ThreadPool& pool);

    /// Size of the table.
    [[nodiscard]] static double bytes(const Grid& grid) {
        return static_cast<double>((grid.directions + 1) * grid.tilts * planeSize(grid)) * sizeof(float);
    }

    /// Fills `means`, [radial][height], with what the lines along `direction` have after poses moved them, in
    /// the mean over the poses. A direction stands for those up to its neighbours: the acceptance's end cuts
    /// its share off. Where there are many poses every direction takes some, spread over their time, and the
    /// next `number` takes others. `plane` is room to work in.
    void fill(const PoseShares& poses, const Direction& direction, std::size_t number, const Samples& radial,
              const Samples& heights, std::vector<float>& plane, float* means) const;

  private:
    void add(const WeighedPose& pose, const Direction& direction, const Samples& radial,
             const Samples& heights, std::vector<float>& plane, float* sums) const;
    [[nodiscard]] std::size_t planeSize() const { return planeSize(grid_); }
    [[nodiscard]] static std::size_t planeSize(const Grid& grid) {
        return grid.radial.count * grid.heights.count;
    }
    [[nodiscard]] double sineAt(std::size_t tilt) const;
    void blend(double azimuth, double sine, std::array<double, 2> distances, std::vector<float>& plane) const;

    Grid grid_;
    std::vector<float> table_;  ///< [azimuth, 0 to the period][tilt][radial][height]
};

}  // namespace tof
