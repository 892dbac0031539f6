// SPDX-License-Identifier: Apache-2.0
#include "gpu/space/cuda_owned.h"

#include <algorithm>

#include "gpu/space/cuda_device.h"
#include "recon/base/error.h"

namespace tof {

namespace {

/// Left to the driver, to module loading and to the desktop on the same card.
constexpr std::size_t kReserve = std::size_t{256} << 20U;

}  // namespace

void* MemoryLedger::allocate(std::size_t bytes, const char* what) {
    device->use();
    const std::size_t wanted = std::max<std::size_t>(bytes, 1);
    void* memory = nullptr;
    const std::size_t left = bytesFree();
    if (wanted > left) {
        throw Unavailable(
            "{} needs {:.1f} MiB of device memory and {:.1f} MiB are left of {:.1f} MiB; use fewer views, "
            "larger voxels or a card with more memory",
            what, static_cast<double>(wanted) / 1048576.0, static_cast<double>(left) / 1048576.0,
            static_cast<double>(limit) / 1048576.0);
    }
    check(cudaMalloc(&memory, wanted), what, {wanted});
    used += wanted;
    return memory;
}

void MemoryLedger::release(void* memory, std::size_t bytes) noexcept {
    static_cast<void>(cudaSetDevice(device->index()));
    static_cast<void>(cudaFree(memory));
    static_cast<void>(cudaGetLastError());
    used -= std::max<std::size_t>(bytes, 1);
}

std::size_t MemoryLedger::bytesFree() const {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "ask for the free device memory");
    const std::size_t allowed = limit > used ? limit - used : 0;
    return std::min(allowed, free > kReserve ? free - kReserve : 0);
}

OwnedStream makeStream() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
    return OwnedStream(stream);
}

OwnedEvent makeEvent(EventUse use) {
    cudaEvent_t event = nullptr;
    check(
        cudaEventCreateWithFlags(&event, use == EventUse::Timed ? cudaEventDefault : cudaEventDisableTiming),
        "create an event");
    return OwnedEvent(event);
}

}  // namespace tof
