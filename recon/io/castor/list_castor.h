// SPDX-License-Identifier: Apache-2.0
// List-mode of CASToR. Internal to recon/io.
#pragma once

#include <string>

#include "recon/io/list_io.h"

namespace tof {

/// A .cdh header with its .cdf beside it and the scanner's .hscan + .lut or .geom.
[[nodiscard]] ListReadResult readEventsCastor(const std::string& path, const ListReadOptions& options);

}  // namespace tof
