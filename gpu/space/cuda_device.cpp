// SPDX-License-Identifier: Apache-2.0
#include "gpu/space/cuda_device.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "gpu/space/cuda_check.h"
#include "recon/base/error.h"

namespace tof {

namespace {

std::string version(int number) {
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

int attribute(cudaDeviceAttr what, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, what, device), "read a device attribute");
    return value;
}

}  // namespace

CudaDevice::CudaDevice(int index) : index_(index) {
    int driver = 0;
    int runtime = 0;
    int count = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));
    static_cast<void>(cudaRuntimeGetVersion(&runtime));
    const cudaError_t status = cudaGetDeviceCount(&count);
    static_cast<void>(cudaGetLastError());
    if (driver == 0) {
        throw Unavailable("no NVIDIA driver is installed on this machine");
    }
    if (status == cudaErrorInsufficientDriver) {
        throw Unavailable("the NVIDIA driver supports CUDA {} and this program needs {}; update the driver",
                          version(driver), version(runtime));
    }
    if (status != cudaSuccess || count == 0) {
        throw Unavailable("the NVIDIA driver offers no device ({})",
                          status == cudaSuccess ? "none found" : cudaGetErrorString(status));
    }
    if (index < 0 || index >= count) {
        throw Unavailable("there is no CUDA device {}; devices 0 to {} exist", index, count - 1);
    }
    check(cudaGetDeviceProperties(&properties_, index), "read the device's properties");
    clockKHz_ = attribute(cudaDevAttrClockRate, index);
    if (capability() < 75) {
        throw Unavailable("{} has compute capability {}.{} and this program needs 7.5 or newer",
                          properties_.name, properties_.major, properties_.minor);
    }
    use();
}

void CudaDevice::use() const {
    check(cudaSetDevice(index_), "select the device");
}

void CudaDevice::attach() {
    const std::lock_guard lock(mutex_);
    if (spaces_ == 0 && lost_) {
        revive();
    }
    use();
    ++spaces_;
}

void CudaDevice::revive() {
    // Some drivers give the device back after a reset, perhaps a moment later; others only to a new process.
    constexpr int kTries = 20;
    constexpr auto kPause = std::chrono::milliseconds(50);
    cudaError_t status = cudaErrorUnknown;
    for (int i = 0; i < kTries && status != cudaSuccess; ++i) {
        if (i > 0) {
            std::this_thread::sleep_for(kPause);
        }
        static_cast<void>(cudaDeviceReset());
        status = cudaSetDevice(index_);
        if (status == cudaSuccess) {
            status = cudaFree(nullptr);
        }
        static_cast<void>(cudaGetLastError());
    }
    if (status != cudaSuccess) {
        throw Unavailable(
            "{} does not recover from the error of an earlier run ({}); start the program again",
            static_cast<const char*>(properties_.name), cudaGetErrorString(status));
    }
    lost_ = false;
}

void CudaDevice::detach() noexcept {
    const std::lock_guard lock(mutex_);
    --spaces_;
}

void CudaDevice::noticeFailure() noexcept {
    if (cudaDeviceSynchronize() != cudaSuccess) {
        lost_ = true;
        static_cast<void>(cudaGetLastError());
    }
}

std::vector<std::pair<std::string, std::string>> CudaDevice::describe() const {
    const cudaDeviceProp& p = properties_;
    int driver = 0;
    int runtime = 0;
    check(cudaDriverGetVersion(&driver), "read the driver's version");
    check(cudaRuntimeGetVersion(&runtime), "read the runtime's version");
    const int memoryKHz = attribute(cudaDevAttrMemoryClockRate, index_);
    // Single-precision units per multiprocessor: CUDA programming guide, arithmetic instructions.
    const int lanes = capability() == 75 || capability() == 80 ? 64 : 128;
    const double macs = 1e3 * clockKHz_ * lanes * p.multiProcessorCount;
    const double gbPerS = 2.0 * memoryKHz * 1e3 * p.memoryBusWidth / 8 / 1e9;
    return {
        {"compute capability", fmt::format("{}.{}", p.major, p.minor)},
        {"driver (CUDA)", version(driver)},
        {"runtime (CUDA)", version(runtime)},
        {"streaming multiprocessors", fmt::format("{}", p.multiProcessorCount)},
        {"shader clock", fmt::format("{:.2f} GHz", clockKHz_ / 1e6)},
        {"memory clock", fmt::format("{:.2f} GHz", memoryKHz / 1e6)},
        {"memory bus width", fmt::format("{} bit", p.memoryBusWidth)},
        {"memory bandwidth (calculated)", fmt::format("{:.0f} GB/s", gbPerS)},
        {"registers per multiprocessor", fmt::format("{}", p.regsPerMultiprocessor)},
        {"shared memory per multiprocessor", fmt::format("{} KiB", p.sharedMemPerMultiprocessor >> 10U)},
        {"shared memory per block (opt in)", fmt::format("{} KiB", p.sharedMemPerBlockOptin >> 10U)},
        {"L2 cache", fmt::format("{:.0f} MiB", p.l2CacheSize / 1048576.0)},
        {"threads per multiprocessor", fmt::format("{}", p.maxThreadsPerMultiProcessor)},
        {"warp size", fmt::format("{} threads", p.warpSize)},
        {"max threads per block", fmt::format("{}", p.maxThreadsPerBlock)},
        {"max block dimensions",
         fmt::format("{} x {} x {}", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2])},
        {"max grid dimensions",
         fmt::format("{} x {} x {}", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2])},
        {"global memory", fmt::format("{:.1f} GiB", static_cast<double>(p.totalGlobalMem) / 1073741824.0)},
        {"constant memory", fmt::format("{} KiB", p.totalConstMem >> 10U)},
        {"mac_per_s", fmt::format("{:.4g}", macs)},
        {"copy engines", fmt::format("{}", p.asyncEngineCount)},
    };
}

}  // namespace tof
