// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/io/format/format.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/petsird/yardl_bytes.h"

namespace tof {

/// A file of PETSIRD in the HDF5 of yardl's tools, open; nothing where it is none.
[[nodiscard]] std::shared_ptr<const h5::Reader> openPetsirdHdf5(const FileStart& start);

/// Such a file in yardl's binary encoding. A block is encoded when its bytes are asked for, and one is kept.
///
/// The layout is that of microsoft/yardl, tooling/internal/cpp/include/detail/hdf5: a group /PETSIRD with the
/// attribute $yardl_format_version, the datasets $yardl_schema and header, and a group timeBlocks with a
/// dataset for each kind of block and one, $index, of their order. Throws BadInput where values do not lie as
/// the schema says.
[[nodiscard]] std::unique_ptr<YardlBytes> petsirdHdf5(std::shared_ptr<const h5::Reader> file);

}  // namespace tof
