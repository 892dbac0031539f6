// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/io/format/list_read.h"
#include "recon/io/hdf5/list_hdf5.h"  // writeEvents

namespace tof {

/// Reads list-mode: HDF5 (docs/formats.md), CASToR (.cdh) or SAFIR. Throws BadInput.
[[nodiscard]] ListReadResult readEvents(const std::string& path, const ListReadOptions& options = {});

}  // namespace tof
