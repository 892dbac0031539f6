// SPDX-License-Identifier: Apache-2.0
#include "gpu/space/cuda_owned.h"

#include <algorithm>

#include "gpu/space/cuda_device.h"
#include "recon/base/error.h"

namespace tof {

namespace {

/// Left to the driver, to module loading and to the desktop on the same card.
constexpr std::size_t kReserve = std::size_t{256} << 20U;
/// Asking what is free takes as long as an allocation; one answer is good for this share of it.
constexpr std::size_t kAskAgain = 8;
/// A block that would take more than this share of what is kept is not.
constexpr std::size_t kMostOfKept = 3;

}  // namespace

MemoryLedger::~MemoryLedger() {
    freeKept();
}

void* MemoryLedger::allocate(std::size_t bytes, const char* what) {
    device->use();
    const std::lock_guard lock(mutex_);
    const std::size_t wanted = std::max<std::size_t>(bytes, 1);
    void* memory = takeKept(wanted);
    if (memory == nullptr) {
        memory = askDriver(wanted, what);
    }
    used_ += wanted;
    return memory;
}

/// Memory of that size that was given back, if there is any and the limit allows it.
void* MemoryLedger::takeKept(std::size_t bytes) {
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const Block& block) { return block.bytes == bytes; });
    if (found == kept_.end() || used_ + bytes > limit) {
        return nullptr;
    }
    for (const cudaStream_t stream : streams) {
        if (mayBeInUse_) {
            check(cudaStreamSynchronize(stream), "wait for the work that used memory before");
        }
    }
    mayBeInUse_ = false;
    void* const memory = found->memory;
    keptBytes_ -= bytes;
    kept_.erase(found);
    return memory;
}

void* MemoryLedger::askDriver(std::size_t bytes, const char* what) {
    if (used_ + keptBytes_ + bytes > limit || bytes > unasked_) {
        const std::size_t left = freeNow();
        if (bytes > left) {
            throw Unavailable(
                "{} needs {:.1f} MiB of device memory and {:.1f} MiB are left of {:.1f} MiB; use fewer "
                "views, larger voxels or a card with more memory",
                what, static_cast<double>(bytes) / 1048576.0, static_cast<double>(left) / 1048576.0,
                static_cast<double>(limit) / 1048576.0);
        }
        if (bytes + keptBytes_ > left) {
            freeKept();
        }
        unasked_ = (left - keptBytes_) / kAskAgain;
    }
    unasked_ -= std::min(unasked_, bytes);
    void* memory = nullptr;
    cudaError_t status = cudaMalloc(&memory, bytes);
    if (status != cudaSuccess && !kept_.empty()) {
        static_cast<void>(cudaGetLastError());
        freeKept();
        status = cudaMalloc(&memory, bytes);
    }
    check(status, what, {bytes});
    return memory;
}

void MemoryLedger::release(void* memory, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    const std::size_t given = std::max<std::size_t>(bytes, 1);
    used_ -= given;
    if (given <= keep / kMostOfKept && !device->lost()) {
        while (!kept_.empty() && keptBytes_ + given > keep) {
            freeBlock(kept_.front().memory);
            keptBytes_ -= kept_.front().bytes;
            kept_.erase(kept_.begin());
        }
        kept_.push_back({memory, given});
        keptBytes_ += given;
        mayBeInUse_ = true;
        return;
    }
    freeBlock(memory);
}

void MemoryLedger::freeKept() noexcept {
    for (const Block& block : kept_) {
        freeBlock(block.memory);
    }
    kept_.clear();
    keptBytes_ = 0;
}

void MemoryLedger::freeBlock(void* memory) const noexcept {
    static_cast<void>(cudaSetDevice(device->index()));
    static_cast<void>(cudaFree(memory));
    static_cast<void>(cudaGetLastError());
}

std::size_t MemoryLedger::bytesFree() const {
    const std::lock_guard lock(mutex_);
    return freeNow();
}

std::size_t MemoryLedger::freeNow() const {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "ask for the free device memory");
    free += keptBytes_;
    const std::size_t allowed = limit > used_ ? limit - used_ : 0;
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
