// SPDX-License-Identifier: Apache-2.0
// The sum of the scatter estimate on NVIDIA devices, behind a header without CUDA types.
#pragma once

#include "recon/corrections/scatter_sums.h"

namespace tof {

/// For ScatterSettings::sum: addUpScatter() up to the rounding of sums, by the same functions and tables.
/// Throws Unavailable with the reason: not built in, no driver, no device; when used also where memory does
/// not suffice.
[[nodiscard]] ScatterSummer cudaScatter(int device = 0);

}  // namespace tof
