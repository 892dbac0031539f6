// SPDX-License-Identifier: Apache-2.0
// Move-only owners of CUDA resources. Releasing never throws: a poisoned context takes its resources with it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "gpu/space/cuda_check.h"
#include "gpu/space/device_span.h"

namespace tof {

class CudaDevice;

/// Device memory in use and allowed; shared by a space and everything allocated in it. Thread-safe once its
/// public members are set.
class MemoryLedger {
  public:
    MemoryLedger() = default;
    ~MemoryLedger();
    MemoryLedger(const MemoryLedger&) = delete;
    MemoryLedger& operator=(const MemoryLedger&) = delete;

    std::shared_ptr<CudaDevice> device;
    std::size_t limit = 0;
    /// Bytes that were given back and may stay for the next who wants as many: the driver takes longer to
    /// give and to take memory than many a kernel to use it.
    std::size_t keep = 0;
    std::vector<cudaStream_t> streams;  ///< all that work on memory that may stay

    /// Throws Unavailable with the numbers when the memory is not there. Memory that stayed is handed out
    /// once `streams` have done what they were given: something of it may still use that memory.
    [[nodiscard]] void* allocate(std::size_t bytes, const char* what);
    void release(void* memory, std::size_t bytes) noexcept;
    /// What allocate() would give.
    [[nodiscard]] std::size_t bytesFree() const;

  private:
    struct Block {
        void* memory;
        std::size_t bytes;
    };
    [[nodiscard]] void* takeKept(std::size_t bytes);
    [[nodiscard]] void* askDriver(std::size_t bytes, const char* what);
    [[nodiscard]] std::size_t freeNow() const;
    void freeKept() noexcept;
    void freeBlock(void* memory) const noexcept;

    mutable std::mutex mutex_;
    std::size_t used_ = 0;
    std::size_t keptBytes_ = 0;
    std::vector<Block> kept_;  ///< the one given back longest ago first
    bool mayBeInUse_ = false;  ///< what is kept, by work given before
    std::size_t unasked_ = 0;  ///< that may be taken before the driver is asked again what is free
};

/// Device memory of `size` elements. Must not outlive the program's use of the device.
template <typename T>
class DeviceBuffer {
  public:
    DeviceBuffer() = default;
    DeviceBuffer(std::shared_ptr<MemoryLedger> ledger, std::size_t size, const char* what)
        : ledger_(std::move(ledger)), size_(size) {
        data_ = static_cast<T*>(ledger_->allocate(size * sizeof(T), what));
    }
    ~DeviceBuffer() { reset(); }
    DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        swap(other);
        return *this;
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    [[nodiscard]] T* get() const { return data_; }
    [[nodiscard]] DeviceSpan<T> span() const { return {data_, size_}; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

    /// Copies from host memory on `stream`; the host memory may go when this returns.
    void uploadFrom(std::span<const T> from, cudaStream_t stream) {
        check(cudaMemcpyAsync(data_, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream),
              "copy a table to the device", {from.size_bytes()});
    }

  private:
    void swap(DeviceBuffer& other) noexcept {
        std::swap(ledger_, other.ledger_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }
    void reset() noexcept {
        if (data_ != nullptr) {
            ledger_->release(data_, size_ * sizeof(T));
            data_ = nullptr;
        }
    }

    std::shared_ptr<MemoryLedger> ledger_;
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Page-locked host memory.
template <typename T>
class PinnedBuffer {
  public:
    PinnedBuffer() = default;
    explicit PinnedBuffer(std::size_t size) : size_(size) {
        void* memory = nullptr;
        check(cudaMallocHost(&memory, size * sizeof(T)), "allocate page-locked memory", {size * sizeof(T)});
        data_.reset(static_cast<T*>(memory));
    }
    [[nodiscard]] T* get() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    struct Release {
        void operator()(T* p) const noexcept {
            static_cast<void>(cudaFreeHost(p));
            static_cast<void>(cudaGetLastError());
        }
    };
    std::unique_ptr<T, Release> data_;
    std::size_t size_ = 0;
};

/// An owner of a handle with its destroying function.
template <typename Handle, cudaError_t (*destroy)(Handle)>
class Owned {
  public:
    Owned() = default;
    explicit Owned(Handle handle) : handle_(handle) {}
    ~Owned() {
        if (handle_ != Handle{}) {
            static_cast<void>(destroy(handle_));
            static_cast<void>(cudaGetLastError());
        }
    }
    Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    [[nodiscard]] Handle get() const { return handle_; }

  private:
    Handle handle_{};
};

using OwnedStream = Owned<cudaStream_t, cudaStreamDestroy>;
using OwnedEvent = Owned<cudaEvent_t, cudaEventDestroy>;
using OwnedGraph = Owned<cudaGraph_t, cudaGraphDestroy>;
using OwnedGraphExec = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;
using OwnedArray = Owned<cudaArray_t, cudaFreeArray>;
using OwnedTexture = Owned<cudaTextureObject_t, cudaDestroyTextureObject>;

[[nodiscard]] OwnedStream makeStream();
/// Events of this kind order work; with `timed` they also carry times.
enum class EventUse { Order, Timed };
[[nodiscard]] OwnedEvent makeEvent(EventUse kind);

}  // namespace tof
