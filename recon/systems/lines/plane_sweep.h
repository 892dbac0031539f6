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

/// All planes of a family pass a face between two voxels: plane i that between `lower` + 2 i and the one
/// above. A pair of voxels is (2 l, 2 l + 1).
struct alignas(16) FaceCrossing {
    double at;              ///< path parameter
    std::int32_t firstRow;  ///< row of the plane that passes the face in or above pair 0
    std::uint16_t kind;     ///< 2 x planes; and 1 when the voxel below the face is the upper one of its pair
    std::int16_t pair;      ///< that plane 0 is in, or below

    /// True when the face lies between pairs `l` and l + 1, not within pair l.
    [[nodiscard]] TOF_HD bool betweenPairs() const { return (kind & 1U) != 0; }
    /// True when a plane passes the face of pair `l`; its row is firstRow + l.
    [[nodiscard]] TOF_HD bool passes(int l) const {
        return static_cast<unsigned>(l - pair) < static_cast<unsigned>(kind >> 1U);
    }
};

/// The end of a column on a path, and what has been passed until there. A path begins with its begin.
struct alignas(16) SweepStep {
    double to;               ///< path parameter
    std::int32_t column;     ///< y * size x + x, -1 for the begin of a path
    std::int32_t crossings;  ///< first one that is not passed before `to`
};

/// A family as a sweep needs it. Rows are planes, those of a family beside each other.
struct SweepFamily {
    std::int32_t row;  ///< of plane 0
    std::int32_t planes;
    float direction;  ///< -1 when heights fall along the path, else 1
};

/// The crossings of a stack's planes.
class PlaneSweep {
  public:
    /// Nothing when tables were too large: very many planes on very thin voxels.
    [[nodiscard]] static std::optional<PlaneSweep> of(const PlaneStack& stack);

    /// In the order of path parameters, -1/2 to 1/2, and one more behind.
    [[nodiscard]] const std::vector<FaceCrossing>& crossings() const { return crossings_; }
    [[nodiscard]] const std::vector<SweepFamily>& families() const { return families_; }
    /// [crossings passed][family]: the voxel that plane 0 is in.
    [[nodiscard]] const std::vector<std::int16_t>& voxels() const { return voxels_; }
    /// Row of each sinogram.
    [[nodiscard]] const std::vector<std::int32_t>& rows() const { return rows_; }
    [[nodiscard]] std::size_t rowCount() const { return rowCount_; }

    /// Appends a path, nothing where it meets no column.
    void append(const std::vector<PathStep>& path, const TransverseLine& line,
                std::vector<SweepStep>& out) const;

  private:
    PlaneSweep() = default;

    std::vector<FaceCrossing> crossings_;
    std::vector<SweepFamily> families_;
    std::vector<std::int16_t> voxels_;
    std::vector<std::int32_t> rows_;
    std::size_t rowCount_ = 0;
};

}  // namespace tof
