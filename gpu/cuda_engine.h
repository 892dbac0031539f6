// SPDX-License-Identifier: Apache-2.0
// The engines on NVIDIA devices, behind a header without CUDA types.
#pragma once

#include <memory>

#include "recon/seam/engine.h"

namespace tof {

struct CudaStrategies;

/// The engine `cuda`, which has `more` strategies behind its own (null: none). It offers MakesSlices,
/// SumsScatter, MakesPanelKernels and TellsKernels. Throws Unavailable with the reason: not built in, no
/// driver, no device.
[[nodiscard]] std::shared_ptr<const Engine> loadCudaEngine(
    const std::shared_ptr<const CudaStrategies>& more = nullptr);

/// The engine `cufft` (invariant kernels). Throws Unavailable with the reason, a missing libcufft included.
[[nodiscard]] std::shared_ptr<const Engine> loadCufftEngine();

}  // namespace tof
