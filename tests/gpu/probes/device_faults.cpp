// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/probes/device_faults.h"

#include <cuda_runtime_api.h>

#include <atomic>

namespace tof {

namespace {

/// The linker leads functions here, so what they count must be found without being handed to them.
struct Wanted {
    DeviceCall kind = DeviceCall::Allocation;
    FaultLasts lasts = FaultLasts::Once;
    std::atomic<long> at = 0;
    std::atomic<long> calls = 0;
    std::atomic<cudaError_t> pending = cudaSuccess;  ///< a launch returns nothing itself
};
Wanted& wanted() {
    static Wanted one;
    return one;
}

/// What the call returns instead of being made; success where it is made.
cudaError_t fault(DeviceCall kind) {
    Wanted& now = wanted();
    const long call = kind == now.kind ? ++now.calls : now.calls.load();
    const bool lost = now.lasts == FaultLasts::ForEver && now.at > 0 && call >= now.at;
    if (lost) {
        return cudaErrorECCUncorrectable;
    }
    if (kind != now.kind || call != now.at) {
        return cudaSuccess;
    }
    switch (kind) {
        case DeviceCall::Allocation: return cudaErrorMemoryAllocation;
        case DeviceCall::Launch: return cudaErrorLaunchOutOfResources;
        case DeviceCall::Copy: return cudaErrorInvalidValue;
        case DeviceCall::Wait: break;
    }
    return cudaErrorLaunchFailure;
}

/// The call, unless it fails; as the runtime does, a failure stays until it is asked for.
template <class Call>
cudaError_t attempt(DeviceCall kind, const Call& call) {
    const cudaError_t status = fault(kind);
    if (status != cudaSuccess) {
        wanted().pending = status;
    }
    return status != cudaSuccess ? status : call();
}

}  // namespace

DeviceFaults::DeviceFaults(DeviceCall kind, long at, FaultLasts lasts) {
    wanted().kind = kind;
    wanted().lasts = lasts;
    wanted().calls = 0;
    wanted().at = at;
}

DeviceFaults::~DeviceFaults() {
    wanted().at = 0;
    wanted().pending = cudaSuccess;
}

long DeviceFaults::calls() {
    return wanted().calls;
}

}  // namespace tof

using tof::attempt;
using tof::DeviceCall;

extern "C" {

cudaError_t __real_cudaMalloc(void** memory, size_t bytes);
cudaError_t __real_cudaMallocHost(void** memory, size_t bytes);
cudaError_t __real_cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream);
cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t __real_cudaEventSynchronize(cudaEvent_t event);
cudaError_t __real_cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* kernel, void** arguments);
cudaError_t __real_cudaGetLastError();
// Which of the two <<<>>> calls depends on the version of CUDA.
__attribute__((weak)) cudaError_t __real_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block,
                                                          void** arguments, size_t shared,
                                                          cudaStream_t stream);
__attribute__((weak)) cudaError_t __real___cudaLaunchKernel(void* kernel, dim3 grid, dim3 block,
                                                            void** arguments, size_t shared,
                                                            cudaStream_t stream);

cudaError_t __wrap_cudaMalloc(void** memory, size_t bytes) {
    return attempt(DeviceCall::Allocation, [&] { return __real_cudaMalloc(memory, bytes); });
}
cudaError_t __wrap_cudaMallocHost(void** memory, size_t bytes) {
    return attempt(DeviceCall::Allocation, [&] { return __real_cudaMallocHost(memory, bytes); });
}
cudaError_t __wrap_cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
    return attempt(DeviceCall::Copy, [&] { return __real_cudaMemcpyAsync(to, from, bytes, kind, stream); });
}
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) {
    return attempt(DeviceCall::Wait, [&] { return __real_cudaStreamSynchronize(stream); });
}
cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event) {
    return attempt(DeviceCall::Wait, [&] { return __real_cudaEventSynchronize(event); });
}
cudaError_t __wrap_cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    return attempt(DeviceCall::Launch, [&] { return __real_cudaGraphLaunch(graph, stream); });
}
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* kernel, void** arguments) {
    return attempt(DeviceCall::Launch, [&] { return __real_cudaLaunchKernelExC(how, kernel, arguments); });
}
cudaError_t __wrap_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared, cudaStream_t stream) {
    return attempt(DeviceCall::Launch,
                   [&] { return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, stream); });
}
cudaError_t __wrap___cudaLaunchKernel(void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                      cudaStream_t stream) {
    return attempt(DeviceCall::Launch,
                   [&] { return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream); });
}
cudaError_t __wrap_cudaGetLastError() {
    const cudaError_t injected = tof::wanted().pending.exchange(cudaSuccess);
    const cudaError_t own = __real_cudaGetLastError();
    return injected != cudaSuccess ? injected : own;
}
}
