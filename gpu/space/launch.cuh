// SPDX-License-Identifier: Apache-2.0
// Launching kernels so that one may start while the one before it drains (programmatic dependent launch).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

namespace tof {

/// Blocks of `each` elements for n.
template <typename Count>
[[nodiscard]] constexpr unsigned blocksFor(Count n, std::type_identity_t<Count> each) {
    return static_cast<unsigned>((n + each - 1) / each);
}

/// Calls body(i) for this thread's elements, grid-stride.
template <typename Body>
__device__ void forElements(std::size_t n, const Body& body) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        body(i);
    }
}

/// To be called by every kernel launched with launchDependent before it touches memory that earlier work
/// writes: waits until that work is complete. Nothing before compute capability 9.0, where launches do not
/// overlap.
__device__ inline void waitForEarlierWork() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/// Lets the next dependent launch begin its preparations.
__device__ inline void letLaterWorkPrepare() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// Launches a kernel that calls waitForEarlierWork(). `overlap` false launches it the ordinary way.
template <typename... Parameters, typename... Arguments>
cudaError_t launchDependent(bool overlap, void (*kernel)(Parameters...), dim3 grid, dim3 block,
                            std::size_t shared, cudaStream_t stream, Arguments... arguments) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &attribute;
    config.numAttrs = overlap ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
}

}  // namespace tof
