// SPDX-License-Identifier: Apache-2.0
// List-mode in HDF5. Internal to recon/io.
#pragma once

#include <string>

#include "recon/io/list_io.h"

namespace tof {

[[nodiscard]] ListReadResult readEventsHdf5(const std::string& path);

}  // namespace tof
