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

}  // namespace tof
