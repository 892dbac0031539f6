// SPDX-License-Identifier: Apache-2.0
// The engines on NVIDIA devices, behind a header without CUDA types.
#pragma once

#include <memory>

#include "recon/engine/engine.h"

namespace tof {

/// The engine `cuda`. Throws Unavailable with the reason: not built in, no driver, no device.
[[nodiscard]] std::shared_ptr<const Engine> loadCudaEngine();

/// The engine `cufft` (invariant kernels). Throws Unavailable with the reason, a missing libcufft included.
[[nodiscard]] std::shared_ptr<const Engine> loadCufftEngine();

}  // namespace tof
