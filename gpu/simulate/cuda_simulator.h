// SPDX-License-Identifier: Apache-2.0
// Scans in time simulated on NVIDIA devices, behind a header without CUDA types.
#pragma once

#include "recon/simulate/slices.h"

namespace tof {

/// Who resolves the slices whose photons a device has followed: the device, where it can, or always the host,
/// which is slow and what the device is compared with.
enum class ResolvedBy { Device, Host };

/// For SimulationHooks::slices: the host's photons up to rounding, followed on a device; behind the last one
/// numbers begin anew. Throws Unavailable with the reason: not built in, no driver, no device.
[[nodiscard]] SliceMaker cudaSlices(int device = 0, ResolvedBy by = ResolvedBy::Device);

}  // namespace tof
