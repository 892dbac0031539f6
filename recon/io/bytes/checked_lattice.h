// SPDX-License-Identifier: Apache-2.0
// Lattices as files describe them. Internal to recon/io.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "recon/base/lattice.h"
#include "recon/io/hdf5/hdf5_file.h"

namespace tof {

/// A lattice from numbers of a file; without an origin, voxel centres are symmetric about the scanner centre.
/// Throws BadInput naming `path`: sizes 1..65535, fewer than 2^31 voxels, spacings in (0, 1e4] mm, origin
/// within 1e6 mm, all finite.
[[nodiscard]] Lattice checkedLattice(const std::string& path, const std::array<std::uint64_t, 3>& size,
                                     const std::array<double, 3>& spacing_mm,
                                     const std::optional<Vec3>& origin_mm);

/// Lattice of the last three dimensions of `dataset` with its attributes `spacing_mm` and `origin_mm`.
[[nodiscard]] Lattice readLattice(const h5::Reader& file, const std::string& dataset);
void writeLattice(h5::Writer& file, const std::string& dataset, const Lattice& lattice);

/// [z][y][x] of a lattice.
[[nodiscard]] h5::Shape latticeShape(const Lattice& lattice);

}  // namespace tof
