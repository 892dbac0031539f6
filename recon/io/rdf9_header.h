// SPDX-License-Identifier: Apache-2.0
// What headers of GE RDF 9 say of the file and its scanner. Internal to recon/io.
#pragma once

#include <cstdint>
#include <string>

#include "recon/io/format/format.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/scanner/michelogram.h"

namespace tof {

[[nodiscard]] bool isRdf9(const FileStart& start);

/// One number of a header, within [least, most]. Throws BadInput.
[[nodiscard]] double headerNumber(const h5::Reader& file, const std::string& name, double least, double most);

/// Throws BadInput for another version of RDF.
void requireRdf9(const h5::Reader& file);

/// A number of /HeaderData/SystemGeometry that counts. Throws BadInput.
[[nodiscard]] int headerCount(const h5::Reader& file, const std::string& name);

/// Throws BadInput for what lists cannot name and for sizes that are none of GE's crystals.
[[nodiscard]] RingScanner rdfRing(const h5::Reader& file);

/// Number of a crystal in rings from the feet on and places as STIR has them (CListRecordGEHDF5).
[[nodiscard]] std::uint32_t rdfCrystal(const RingScanner& ring, unsigned row, unsigned place);

}  // namespace tof
