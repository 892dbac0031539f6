// SPDX-License-Identifier: Apache-2.0
// Linked where CUDA was not built: every entry point says why.
#include "gpu/cuda_engine.h"
#include "gpu/scatter/cuda_scatter.h"
#include "gpu/simulate/cuda_simulator.h"
#include "recon/base/error.h"

namespace tof {

std::shared_ptr<const Engine> loadCudaEngine(const std::shared_ptr<const CudaStrategies>& /*more*/) {
    throw Unavailable(TOF_NO_CUDA_REASON);
}
SliceMaker cudaSlices(int /*device*/, ResolvedBy /*by*/) {
    throw Unavailable(TOF_NO_CUDA_REASON);
}
ScatterSummer cudaScatter(int /*device*/) {
    throw Unavailable(TOF_NO_CUDA_REASON);
}
std::shared_ptr<const Engine> loadCufftEngine() {
    throw Unavailable(TOF_NO_CUDA_REASON);
}

}  // namespace tof
