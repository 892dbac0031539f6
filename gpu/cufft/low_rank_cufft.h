// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gpu/cufft/cufft_library.h"
#include "gpu/space/cuda_space.h"
#include "recon/seam/engine.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

/// The cufft engine's projector for kernels that vary in space: a sum of invariant ones (LowRankKernel), a
/// transform and a half for each. Spectra are kept while they fit into half of the memory that is free;
/// those of the other views are made anew each time. Throws as LowRankKernel does.
[[nodiscard]] std::unique_ptr<Projector> makeLowRankCufftProjector(
    const DirectModel& model, std::shared_ptr<CudaSpace> space, std::shared_ptr<const CufftLibrary> library,
    const EngineOptions& options);

}  // namespace tof
