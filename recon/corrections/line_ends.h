// SPDX-License-Identifier: Apache-2.0
// The crystals that lines of a scanner end in. Internal to recon/corrections.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "recon/base/samples.h"
#include "recon/base/vec3.h"
#include "recon/scanner/detector.h"

namespace tof {

/// Distance of a line from the scanner's axis.
[[nodiscard]] inline double fromAxis(Vec3 p, Vec3 d) {
    const double across = std::hypot(d.x, d.y);
    return across > 0 ? std::abs(p.x * d.y - p.y * d.x) / across : 0.0;
}

/// A crystal that a line ends in.
struct LineEnd {
    std::uint32_t crystal = 0;
    double distance_mm = 0;  ///< to its mean depth
    double area_mm2 = 0;     ///< area of the crystal's cell across the line; 0: the line ends in none
};

/// Both ends of lines that lie above each other.
struct LineColumn {
    std::array<std::vector<LineEnd>, 2> ends;
    std::vector<double> enter;  ///< room: where the lines of one side enter the modules they end in
};

/// The modules that lines of a scanner end in. Immutable; share between threads.
class LineEnds {
  public:
    /// Throws BadInput as Detector does.
    explicit LineEnds(const Scanner& scanner);

    [[nodiscard]] const std::vector<DetectorModule>& modules() const { return detector_.modules(); }
    [[nodiscard]] double meanDepth_mm() const { return meanDepth_; }
    [[nodiscard]] double fovRadius_mm() const { return fovRadius_; }
    /// Whether all modules stand upright: where lines above each other meet them differs in height alone.
    [[nodiscard]] bool upright() const { return upright_; }

  private:
    Detector detector_;
    double meanDepth_;
    double fovRadius_;
    bool upright_;
};

/// Lines in one direction. Which modules they can meet is found once, by their distance from the axis.
class ParallelLines {
  public:
    /// `d`: a unit vector. Keeps a reference.
    ParallelLines(const LineEnds& ends, Vec3 d);

    /// Both ends of the line through `p`; nothing of a line beyond the field of view, or without crystals at
    /// one end.
    [[nodiscard]] std::optional<std::array<LineEnd, 2>> of(Vec3 p) const;

    /// Finds the ends of the lines through `foot`, moved along z to each of `heights`. False where all of
    /// them lie beyond the field of view: `column` is not touched then.
    [[nodiscard]] bool ofColumn(Vec3 foot, const Samples& heights, LineColumn& column) const;

  private:
    using Modules = std::vector<const DetectorModule*>;

    [[nodiscard]] bool withinFov(Vec3 p) const;
    [[nodiscard]] std::size_t binOf(double radial) const;
    [[nodiscard]] const Modules& near(Vec3 p, std::size_t side) const;
    void sideOfColumn(Vec3 foot, const Samples& heights, std::size_t side, LineColumn& column) const;
    [[nodiscard]] std::optional<LineEnd> end(Vec3 p, std::size_t side) const;

    static constexpr std::size_t kBins = 64;  ///< over the field of view

    const LineEnds& ends_;
    std::array<Vec3, 2> towards_;  ///< the unit vectors to both sides
    Vec3 radial_;
    double perBin_ = 0;
    std::array<std::array<Modules, kBins>, 2> modules_;
};

}  // namespace tof
