// SPDX-License-Identifier: Apache-2.0
// Lattices and volumes in HDF5. Internal to recon/io.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/data/dynamic_image.h"
#include "recon/io/hdf5/hdf5_file.h"

namespace tof {

/// Lattice of the last three dimensions of `dataset` with its attributes `spacing_mm` and `origin_mm`.
[[nodiscard]] Lattice readLattice(const h5::Reader& file, const std::string& dataset);
void writeLattice(h5::Writer& file, const std::string& dataset, const Lattice& lattice);

/// [z][y][x] of a lattice.
[[nodiscard]] h5::Shape latticeShape(const Lattice& lattice);

/// A [z][y][x] dataset of an open file, with its lattice and units.
[[nodiscard]] Volume readVolumeDataset(const h5::Reader& file, const std::string& dataset);
/// One chunk per slice; compressed where zeros make it pay.
void writeVolumeDataset(h5::Writer& file, const std::string& dataset, const Lattice& lattice,
                        const std::vector<float>& values, const std::string& units);

void writeVolumeHdf5(const Destination& to, const Volume& volume);

/// True when `/image` has frames: [frame][z][y][x] with their times.
[[nodiscard]] bool holdsFrames(const h5::Reader& file);
[[nodiscard]] DynamicInfo readDynamicInfo(const h5::Reader& file);
/// One frame, from 0.
[[nodiscard]] std::vector<float> readFrame(const h5::Reader& file, const Lattice& lattice, std::size_t frame);
void writeDynamicHdf5(const Destination& to, const DynamicSource& image);

}  // namespace tof
