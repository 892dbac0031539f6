// SPDX-License-Identifier: Apache-2.0
// List-mode in HDF5.
#pragma once

#include <string>

#include "recon/io/format/list_read.h"

namespace tof {

namespace h5 {
class Reader;
}

/// Throws BadInput.
[[nodiscard]] ListReadResult readEvents(const h5::Reader& file);
/// Writes the HDF5 form, aside, flushed and renamed. Throws CannotWrite.
void writeEvents(const std::string& path, const EventList& events);

}  // namespace tof
