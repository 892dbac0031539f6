// SPDX-License-Identifier: Apache-2.0
// Scans in time simulated on NVIDIA devices, behind a header without CUDA types.
#pragma once

#include "recon/simulate/slices.h"

namespace tof {

/// For SimulationHooks::slices: the host's photons up to rounding, followed on a device; behind the last one
/// numbers begin anew. Throws Unavailable with the reason: not built in, no driver, no device.
[[nodiscard]] SliceMaker cudaSlices(int device = 0);

}  // namespace tof
