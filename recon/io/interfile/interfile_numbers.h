// SPDX-License-Identifier: Apache-2.0
// How an Interfile header says that numbers are stored. Internal to recon/io.
#pragma once

#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/interfile/interfile_header.h"

namespace tof {

/// Throws BadInput for a kind that is not read.
[[nodiscard]] NumberType interfileNumberType(const InterfileHeader& header);
[[nodiscard]] ByteOrder interfileByteOrder(const InterfileHeader& header);

}  // namespace tof
