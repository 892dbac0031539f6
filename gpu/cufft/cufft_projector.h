// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gpu/cufft/cufft_library.h"
#include "gpu/space/cuda_space.h"
#include "recon/seam/engine.h"
#include "recon/seam/projector.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

/// DIRECT projections with an invariant kernel as products of Fourier transforms. The kernel must be
/// invariant.
[[nodiscard]] std::unique_ptr<Projector> makeCufftProjector(const DirectModel& model,
                                                            std::shared_ptr<CudaSpace> space,
                                                            std::shared_ptr<const CufftLibrary> library,
                                                            const EngineOptions& options);

/// Projections with a kernel that varies in space: a sum of invariant ones (LowRankKernel), a transform and a
/// half for each. Spectra are kept while they fit into half of the memory that is free; those of the other
/// views are made anew each time. Throws as LowRankKernel does.
[[nodiscard]] std::unique_ptr<Projector> makeLowRankCufftProjector(
    const DirectModel& model, std::shared_ptr<CudaSpace> space, std::shared_ptr<const CufftLibrary> library,
    const EngineOptions& options);

}  // namespace tof
