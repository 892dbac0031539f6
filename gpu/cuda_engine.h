// SPDX-License-Identifier: Apache-2.0
// The engines on NVIDIA devices, behind a header without CUDA types.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "recon/seam/engine.h"

namespace tof {

/// The engine `cuda`; of panels its maker() is a PanelKernelMaker that integrates on the device what
/// hostPanelKernels() does on the host, to rounding. Throws Unavailable with the reason: not built in, no
/// driver, no device.
[[nodiscard]] std::shared_ptr<const Engine> loadCudaEngine();

/// The engine `cufft` (invariant kernels). Throws Unavailable with the reason, a missing libcufft included.
[[nodiscard]] std::shared_ptr<const Engine> loadCufftEngine();

/// What the CUDA API says of one projection kernel (paper 000, Table II).
struct CudaKernelAttributes {
    std::string strategy;
    std::string kernel;  ///< "forward", "back", or what else it does
    std::size_t constantBytes = 0;
    std::size_t localBytesPerThread = 0;
    std::size_t sharedBytesPerBlock = 0;
    int threadsPerBlock = 0;
    int registersPerThread = 0;
    double occupancy = 0;  ///< resident threads over the most that a multiprocessor holds
};

/// The kernels of every strategy of `cuda` on device 0. Throws Unavailable like loadCudaEngine().
[[nodiscard]] std::vector<CudaKernelAttributes> cudaKernelAttributes();

}  // namespace tof
