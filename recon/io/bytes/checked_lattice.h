// SPDX-License-Identifier: Apache-2.0
// Lattices as files describe them. Internal to recon/io.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "recon/base/lattice.h"

namespace tof {

/// A lattice from numbers of a file; without an origin, voxel centres are symmetric about the scanner centre.
/// Throws BadInput naming `path`: sizes 1..65535, fewer than 2^31 voxels, spacings in (0, 1e4] mm, origin
/// within 1e6 mm, all finite.
[[nodiscard]] Lattice checkedLattice(const std::string& path, const std::array<std::uint64_t, 3>& size,
                                     const std::array<double, 3>& spacing_mm,
                                     const std::optional<Vec3>& origin_mm);

}  // namespace tof
