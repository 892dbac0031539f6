// SPDX-License-Identifier: Apache-2.0
// What sinograms and lines of response have in common in HDF5. Internal to recon/io.
#pragma once

#include <memory>
#include <string>

#include "recon/base/lattice.h"
#include "recon/io/bytes/content_hash.h"
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
[[nodiscard]] double readCalibration(const h5::Reader& file);
/// A hash of the scanner's text and the image, to add values to.
[[nodiscard]] ContentHash modelHash(const std::string& scanner, const Lattice& lattice);

}  // namespace tof
