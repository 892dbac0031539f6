// SPDX-License-Identifier: Apache-2.0
// Stored grids of any direction brought to a lattice along the scanner's axes. Internal to recon/io.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/io/bytes/reorient.h"

namespace tof {

/// Where the centre of voxel (i, j, k) of a stored grid lies, in mm, left-posterior-superior.
struct StoredAffine {
    std::array<std::array<double, 3>, 3> matrix{};  ///< [axis][index]
    std::array<double, 3> offset{};

    [[nodiscard]] Vec3 at(double i, double j, double k) const;
};

/// How a stored grid becomes a lattice.
struct Placement {
    StoredAffine stored;
    std::array<int, 3> size{};  ///< size of the stored grid, fastest first
    Lattice lattice;
    AxisMap map;           ///< where nothing but swaps and reversals is needed
    bool oblique = false;  ///< values must be interpolated

    /// "its axes are turned by 12.3 degrees: resampled ...", or empty.
    [[nodiscard]] std::string note() const;
};

/// Axes that only swap or reverse are kept; where one is off by more than 0.001 of its length, the lattice is
/// the smallest one of about the stored spacings that holds all voxel centres. Throws BadInput naming `path`
/// and `fields` for axes that do not span space, and what checkedLattice() refuses.
[[nodiscard]] Placement placementOf(const std::string& path, const std::string& fields,
                                    const StoredAffine& stored, const std::array<std::uint64_t, 3>& size);

/// The values on placement.lattice, [z][y][x]: reordered, or interpolated linearly between the eight voxels
/// around each point; points more than half a voxel outside the stored grid are `outside`.
[[nodiscard]] std::vector<float> placed(std::vector<float> values, const Placement& placement,
                                        float outside = 0);

}  // namespace tof
