// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/base/samples.h"
#include "recon/base/view.h"
#include "recon/binning/cell_edges.h"
#include "recon/binning/detector_response.h"
#include "recon/binning/face_spread.h"
#include "recon/binning/moved_lines.h"
#include "recon/motion/pose_shares.h"
#include "recon/scanner/detector.h"

namespace tof {

/// A transverse direction and the radial one beside it.
struct Heading {
    explicit Heading(double azimuth)
        : along{std::cos(azimuth), std::sin(azimuth), 0}, radial{-along.y, along.x, 0} {}
    Vec3 along;
    Vec3 radial;
};

/// Size of what CellRecording keeps where something moves.
[[nodiscard]] double movedTableBytes(const Scanner& scanner, const ViewGrid& grid);

/// How likely pairs are recorded that fly along the lines of an angular cell and survive.
///
/// A cell is looked at in tilts() x azimuths() directions. Cells that a turn of the scanner onto itself
/// carries into each other have the same table, unless what is measured moved: then lines are those of the
/// reference pose, and their probability is the mean over the poses. Immutable; share between threads.
class CellRecording {
  public:
    /// Records lines at the distances `radial` from the axis that pass it at `heights`. Keeps references to
    /// `detector` and `grid`.
    CellRecording(const Scanner& scanner, const FaceSpread& faces, const Detector& detector,
                  const ViewGrid& grid, const Samples& radial, const Samples& heights, const ThreadPool& pool,
                  std::vector<WeighedPose> poses = {});

    [[nodiscard]] std::size_t tilts() const { return tilts_; }
    [[nodiscard]] std::size_t azimuths() const { return azimuths_; }

    /// Slope against the transverse plane of the lines of the tilt `i` in [0, tilts()) of a view.
    [[nodiscard]] double tangent(std::size_t view, std::size_t i) const;
    /// Between the sines of neighbouring tilts of a view.
    [[nodiscard]] double sineStep(std::size_t view) const;
    /// Angle of the direction `i` in [0, azimuths()) from its view's azimuth, radians.
    [[nodiscard]] double turn(std::size_t i) const;

    /// The first view whose table is that of `view`.
    [[nodiscard]] std::size_t firstLike(std::size_t view) const;
    /// Probabilities in the directions of a tilt, [azimuth][radial][height].
    void fill(std::size_t view, std::size_t tilt, float* recorded) const;

  private:
    enum class Height;
    struct Rise;
    /// What a line at the distance `s` from the axis rises.
    [[nodiscard]] Rise riseOf(double s, double tangent) const;
    [[nodiscard]] Height classify(double z0, const Rise& rise) const;
    /// How much the heights at which lines of one tilt meet the detectors record, [radial][height]: all
    /// azimuths share it.
    [[nodiscard]] std::vector<double> atHeights(double tangent, const Samples& radial,
                                                const Samples& heights) const;
    void fillAlong(const Heading& heading, double tangent, const Samples& radial, const Samples& heights,
                   const std::vector<double>& atHeights, float* recorded) const;
    [[nodiscard]] MovedLines linesOf(const MovedLines::Grid& lines, const ThreadPool& pool) const;
    /// What the acceptance's ends let in of lines near them, at an azimuth and the sine of a tilt.
    [[nodiscard]] double acceptedAt(double azimuth, double s, double sine) const;
    [[nodiscard]] double acceptedOf(Vec3 p, Vec3 d) const;
    void makeMoved(const Scanner& scanner, const FaceSpread& faces, const ThreadPool& pool);
    void weighEdges(std::size_t view, std::size_t tilt, std::size_t azimuth, float* recorded) const;

    const Detector& detector_;
    const ViewGrid& grid_;
    Samples radial_;
    Samples heights_;
    PairEfficiency efficiency_;
    double reference_mm_;  ///< the crystals' distance from the axis
    std::optional<std::array<double, 2>> axialRange_;
    std::size_t azimuths_;
    std::size_t tilts_;
    std::size_t period_;              ///< azimuth cells after which the scanner repeats
    std::optional<CellEdges> edges_;  ///< factors of the cells' edges, at edgeRadial_
    Samples edgeRadial_;
    std::optional<PoseShares> poses_;  ///< none: nothing moved
    std::optional<CellEdges>
        ends_;  ///< where something moved: factors of the scanner's own cells, at endsRadial_
    Samples endsRadial_;
    double endStep_ = 0;  ///< between the sines of the last two tilts of `moved_`
    std::optional<MovedLines> moved_;
};

}  // namespace tof
