// SPDX-License-Identifier: Apache-2.0
// What measured data of all forms have in common in HDF5. Internal to recon/io.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/scanner/michelogram.h"

namespace tof {

/// The lattice of the image that a dataset is to be reconstructed on, from its attributes. Throws BadInput.
[[nodiscard]] Lattice readImageLattice(const h5::Reader& file, const char* dataset);
/// The attribute `michelogram`, or null.
[[nodiscard]] std::shared_ptr<const Michelogram> readMichelogram(const h5::Reader& file, const char* dataset);
/// The same; throws BadInput when there is none.
[[nodiscard]] std::shared_ptr<const Michelogram> requireMichelogram(const h5::Reader& file,
                                                                    const char* dataset);
/// The attributes that say whose bins, unless null, and which image a dataset is about.
void writeModel(h5::Writer& file, const char* dataset, const Michelogram* michelogram,
                const Lattice& lattice);
/// The factor to physical units that the measured file stated; 1 where none is.
[[nodiscard]] double readCalibration(const h5::Reader& file, const std::string& owner = "/");

/// Writes counts of `shape`: where they are whole and fit as uint16, compressed by rows of the slowest
/// dimension, else as float32.
void writeCounts(h5::Writer& file, const char* dataset, const h5::Shape& shape,
                 const std::vector<float>& counts);
/// Writes those arrays that are not empty.
void writeArrays(h5::Writer& file, const h5::Shape& shape,
                 std::initializer_list<std::pair<const char*, const std::vector<float>*>> arrays);

/// What was measured, and for how long.
template <class Data>
void readOrigin(const h5::Reader& file, const std::string& owner, Data& data) {
    data.phantom = file.textAttribute(owner, "phantom").value_or("");
    data.duration_s = file.numbers(owner, "duration_s", 1).value_or(std::vector<double>{0.0})[0];
}

}  // namespace tof
