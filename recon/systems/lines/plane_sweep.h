// SPDX-License-Identifier: Apache-2.0
// The planes of a PlaneStack move through the voxels of a column in the same order on every transverse line:
// heights depend on the path parameter alone. So there is one list of the places where planes pass from voxel
// to voxel, and a projection sweeps along a path through it: between two crossings nothing changes but the
// column. Shared by host and device.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "recon/base/hd.h"
#include "recon/systems/lines/plane_stack.h"

namespace tof {

/// All planes of a family pass a face: plane i that between voxel v + 2 i and the one above. A pair of voxels
/// is (2 l, 2 l + 1); faces within pairs and faces between pairs have lists of their own.
struct alignas(16) FaceCrossing {
    double at;              ///< path parameter
    std::int32_t firstRow;  ///< row of the plane that passes the face in or above pair 0
    std::uint16_t planes;
    std::int16_t pair;  ///< that plane 0 is in, or below

    /// True when a plane passes the face of pair `l`; its row is firstRow + l.
    [[nodiscard]] TOF_HD bool passes(int l) const {
        return static_cast<unsigned>(l - pair) < static_cast<unsigned>(planes);
    }
};

/// The end of a column on a path, and how many crossings are before it. A path begins with its begin.
struct alignas(16) SweepStep {
    double to;             ///< path parameter
    std::int32_t column;   ///< y * size x + x, -1 for the begin of a path
    std::uint16_t within;  ///< pairs
    std::uint16_t between;
};

/// A family as a sweep needs it. Rows are planes, those of a family beside each other.
struct SweepFamily {
    std::int32_t row;  ///< row of plane 0
    std::int32_t planes;
    float direction;  ///< -1 when heights fall along the path, else 1
};

/// The crossings of a stack's planes.
class PlaneSweep {
  public:
    /// It is nothing when tables were too large: very many planes on very thin voxels.
    [[nodiscard]] static std::optional<PlaneSweep> of(const PlaneStack& stack);

    /// Crossings of faces within pairs, in the order of path parameters, -1/2 to 1/2.
    [[nodiscard]] const std::vector<FaceCrossing>& within() const { return within_; }
    /// And of those between pairs.
    [[nodiscard]] const std::vector<FaceCrossing>& between() const { return between_; }
    [[nodiscard]] const std::vector<SweepFamily>& families() const { return families_; }
    /// [crossings passed, of both kinds][family]: the voxel that plane 0 is in.
    [[nodiscard]] const std::vector<std::int16_t>& voxels() const { return voxels_; }
    /// Row of each sinogram.
    [[nodiscard]] const std::vector<std::int32_t>& rows() const { return rows_; }
    [[nodiscard]] std::size_t rowCount() const { return rowCount_; }

    /// Appends a path, nothing where it meets no column.
    void append(const std::vector<PathStep>& path, const TransverseLine& line,
                std::vector<SweepStep>& out) const;

  private:
    PlaneSweep() = default;

    std::vector<FaceCrossing> within_;
    std::vector<FaceCrossing> between_;
    std::vector<SweepFamily> families_;
    std::vector<std::int16_t> voxels_;
    std::vector<std::int32_t> rows_;
    std::size_t rowCount_ = 0;
};

}  // namespace tof
