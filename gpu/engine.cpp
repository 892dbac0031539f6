// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda_engine.h"
#include "recon/core/error.h"

namespace tof {

std::shared_ptr<const Engine> loadCudaEngine() {
    throw Unavailable("the CUDA engine is not part of this version");
}
std::shared_ptr<const Engine> loadCufftEngine() {
    throw Unavailable("the cuFFT engine is not part of this version");
}

}  // namespace tof
