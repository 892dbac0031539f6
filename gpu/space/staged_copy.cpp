// SPDX-License-Identifier: Apache-2.0
#include "gpu/space/staged_copy.h"

#include <cuda_runtime.h>

#include <cstring>

#include "gpu/space/cuda_check.h"

namespace tof {

namespace {

constexpr std::size_t kPiece = std::size_t{2} << 20U;  // some 40 us of a link, ten times a call's cost
constexpr std::size_t kInFlight = 8;  ///< buffers on the link while every thread fills another one

}  // namespace

/// A buffer for as long as a piece takes, also when a copy fails.
class StagedCopy::Lease {
  public:
    explicit Lease(StagedCopy& owner) : owner_(owner), buffer_(owner.take()) {}
    ~Lease() { owner_.giveBack(buffer_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    [[nodiscard]] std::byte* host() const { return buffer_->host.get(); }
    [[nodiscard]] cudaEvent_t sent() const { return buffer_->sent.get(); }

  private:
    StagedCopy& owner_;
    Buffer* buffer_;
};

StagedCopy::StagedCopy(std::shared_ptr<CudaDevice> device, const ThreadPool& pool)
    : device_(std::move(device)), pool_(pool), limit_(static_cast<std::size_t>(pool.threads()) + kInFlight) {}

/// An idle buffer whose copy has ended, else a new one, else the one sent longest ago. As many threads as
/// there are never leave the list empty once the limit is reached.
StagedCopy::Buffer* StagedCopy::take() {
    const std::lock_guard lock(mutex_);
    const bool ready = !idle_.empty() && cudaEventQuery(idle_.front()->sent.get()) == cudaSuccess;
    if (!ready) {
        static_cast<void>(cudaGetLastError());  // "not ready" is no failure, and no launch may find it here
    }
    if (!ready && buffers_.size() < limit_) {
        buffers_.push_back(
            std::make_unique<Buffer>(Buffer{PinnedBuffer<std::byte>(kPiece), makeEvent(EventUse::Order)}));
        return buffers_.back().get();
    }
    Buffer* const buffer = idle_.front();
    idle_.pop_front();
    return buffer;
}

void StagedCopy::giveBack(Buffer* buffer) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(buffer);
}

void StagedCopy::copy(cudaStream_t stream, std::span<const std::byte> from, void* to) {
    auto* const there = static_cast<std::byte*>(to);
    pool_.forRange(from.size(), kPiece, [&](std::size_t begin, std::size_t end) {
        device_->use();
        const Lease lease(*this);
        const std::size_t bytes = end - begin;
        check(cudaEventSynchronize(lease.sent()), "wait for a copy to the device", {bytes});
        std::memcpy(lease.host(), from.data() + begin, bytes);
        check(cudaMemcpyAsync(there + begin, lease.host(), bytes, cudaMemcpyHostToDevice, stream),
              "copy to the device", {bytes});
        check(cudaEventRecord(lease.sent(), stream), "mark a copy to the device");
    });
}

}  // namespace tof
