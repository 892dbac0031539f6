// SPDX-License-Identifier: Apache-2.0
// Histo-images by time in HDF5 (docs/formats.md, /frames). Internal to recon/io.
#pragma once

#include <memory>

#include "recon/data/framed_counts.h"
#include "recon/data/histo_data.h"
#include "recon/io/hdf5/hdf5_file.h"

namespace tof {

/// Times and numbers of events of the frames, without their voxels; null where data are not cut by time.
/// Throws BadInput.
[[nodiscard]] std::shared_ptr<const FramedCounts> readFrameTable(const h5::Reader& file);
/// All of the frames of data whose outline has been read. Throws BadInput.
[[nodiscard]] std::shared_ptr<const FramedCounts> readFrames(const h5::Reader& file,
                                                             const HistoData& outline);
void writeFrames(h5::Writer& file, const FramedCounts& frames);

}  // namespace tof
