// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "recon/base/vec3.h"

namespace tof {

/// The orthonormal axes of a view (docs/model.md section 1).
struct ViewAxes {
    Vec3 u;  ///< TOF axis
    Vec3 r;  ///< radial axis, in the transverse plane
    Vec3 a;  ///< axial axis
};

/// One angular cell: azimuth phi in [0, pi), tilt (co-polar angle) theta, radians; the centre of the cell.
struct View {
    double phi = 0;
    double theta = 0;

    /// Axes with exact zeros and ones at multiples of 90 degrees: voxel centres lie on kernel-id boundaries
    /// there, and a cosine of 6e-17 in place of 0 would move them across.
    [[nodiscard]] ViewAxes axes() const;
    [[nodiscard]] bool tilted() const { return theta != 0; }
    [[nodiscard]] bool operator==(const View&) const = default;
};

/// The regular N_phi x N_theta cells that events are sorted into.
///
/// View index = tilt * azimuths + azimuth. phi_i = i pi / N_phi, theta_j at the centres of N_theta equal
/// intervals of [-acceptance, +acceptance].
class ViewGrid {
  public:
    /// Throws WrongUse unless azimuths is 1..4096, tilts 1..255 and acceptance in (0, 90) degrees.
    ViewGrid(int azimuths, int tilts, double acceptance_rad);

    [[nodiscard]] int azimuths() const { return azimuths_; }
    [[nodiscard]] int tilts() const { return tilts_; }
    [[nodiscard]] double acceptance() const { return acceptance_; }
    [[nodiscard]] std::size_t count() const {
        return static_cast<std::size_t>(azimuths_) * static_cast<std::size_t>(tilts_);
    }
    [[nodiscard]] View view(std::size_t index) const;
    [[nodiscard]] std::vector<View> views() const;

    /// Where a line of direction `d` (any length, either sense) belongs.
    struct Cell {
        std::size_t index;  ///< view index
        bool flipped;       ///< the view's u is opposite to d
    };
    /// Whether the line's tilt lies within the acceptance.
    [[nodiscard]] bool accepts(Vec3 d) const;
    /// Empty when the line's tilt lies outside the acceptance. Wrapping phi at pi turns u into -u.
    [[nodiscard]] std::optional<Cell> cell(Vec3 d) const;
    /// Finds the nearest cell as cell() does, steeper lines in the outermost tilt intervals.
    [[nodiscard]] Cell nearestCell(Vec3 d) const;

    /// Solid angle of a cell over 2 pi, the solid angle of all undirected lines: the chance that an isotropic
    /// pair falls into the view, (dphi / 2 pi) (sin theta_hi - sin theta_lo).
    [[nodiscard]] double solidAngleFraction(std::size_t index) const;

  private:
    int azimuths_;
    int tilts_;
    double acceptance_;
};

/// An order of `views` that keeps successive views far apart: each next view is the one least close to the
/// recent ones, the first drawn from `seed`. A permutation of 0 .. views-1; the same for the same arguments.
[[nodiscard]] std::vector<std::size_t> geometricOrder(const std::vector<View>& views, std::uint64_t seed);
/// An order of directions in the transverse plane (radians) that keeps successive ones far apart.
[[nodiscard]] std::vector<std::size_t> azimuthOrder(const std::vector<double>& azimuths, std::uint64_t seed);
/// Orders parts that have a number but no direction: those near in number are far apart in the order.
[[nodiscard]] std::vector<std::size_t> spreadOrder(std::size_t parts, std::uint64_t seed);

}  // namespace tof
