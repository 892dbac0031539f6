// SPDX-License-Identifier: Apache-2.0
// Lattices in HDF5. Internal to recon/io.
#pragma once

#include <string>

#include "recon/base/lattice.h"
#include "recon/io/hdf5/hdf5_file.h"

namespace tof {

/// Lattice of the last three dimensions of `dataset` with its attributes `spacing_mm` and `origin_mm`.
[[nodiscard]] Lattice readLattice(const h5::Reader& file, const std::string& dataset);
void writeLattice(h5::Writer& file, const std::string& dataset, const Lattice& lattice);

/// [z][y][x] of a lattice.
[[nodiscard]] h5::Shape latticeShape(const Lattice& lattice);

}  // namespace tof
