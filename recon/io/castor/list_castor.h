// SPDX-License-Identifier: Apache-2.0
// List-mode of CASToR. Internal to recon/io.
#pragma once

#include "recon/io/castor/castor_header.h"
#include "recon/io/format/list_read.h"

namespace tof {

/// Of a .cdh header with its .cdf beside it and the scanner's .hscan + .lut or .geom.
[[nodiscard]] ListReadResult readEventsCastor(const CastorHeader& header, const ListReadOptions& options);

}  // namespace tof
