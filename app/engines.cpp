// SPDX-License-Identifier: Apache-2.0
#include "app/engines.h"

#include "gpu/cuda_engine.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/engines/fftw/loader/fftw_loader.h"

namespace tof {

EngineRegistry makeEngineRegistry() {
    EngineRegistry registry;
    registry.add("cpu", [] { return makeCpuEngine(); });
    registry.add("fftw", [] { return loadFftwEngine(); });
    registry.add("cuda", [] { return loadCudaEngine(); });
    registry.add("cufft", [] { return loadCufftEngine(); });
    return registry;
}

}  // namespace tof
