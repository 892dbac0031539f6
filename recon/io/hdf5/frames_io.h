// SPDX-License-Identifier: Apache-2.0
// Data by time in HDF5 (docs/formats.md, /frames). Internal to recon/io.
#pragma once

#include <memory>

#include "recon/data/framed_counts.h"
#include "recon/io/hdf5/hdf5_file.h"

namespace tof {

/// Times and numbers of events of the frames, without their cells; null where data are not cut by time.
/// Throws BadInput.
[[nodiscard]] std::shared_ptr<const FramedCounts> readFrameTable(const h5::Reader& file);
/// What cells of frames are cells of.
struct FramedParts {
    std::size_t parts = 1;
    std::size_t cellsPerPart = 0;
    std::uint64_t kept = 0;  ///< events of all
};
/// All of the frames whose table has been read; null for null. Throws BadInput.
[[nodiscard]] std::shared_ptr<const FramedCounts> readFrames(const h5::Reader& file,
                                                             const FramedCounts* table,
                                                             const FramedParts& of);
/// Writes nothing for null.
void writeFrames(h5::Writer& file, const FramedCounts* frames);

}  // namespace tof
