// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tof {

/// One CUDA device as this process sees it. Shared by the engine, its spaces and everything they own.
///
/// After an error that poisons the context every call fails until all owners are gone; attach() then tries to
/// reset the device. Where the driver wants a new process for that, it says so.
class CudaDevice {
  public:
    /// Throws Unavailable with the sentence why there is no such device.
    explicit CudaDevice(int index);

    [[nodiscard]] int index() const { return index_; }
    [[nodiscard]] const cudaDeviceProp& properties() const { return properties_; }
    [[nodiscard]] int clockKHz() const { return clockKHz_; }
    /// Compute capability as major * 10 + minor.
    [[nodiscard]] int capability() const { return properties_.major * 10 + properties_.minor; }
    /// What the paper's Table I lists, for this card, and the rest that a report needs.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> describe() const;

    /// Makes this the calling thread's device.
    void use() const;
    /// Counts a space; revives the device when an earlier run poisoned it and nobody holds it.
    void attach();
    void detach() noexcept;
    /// To be called when a CUDA call failed: finds out whether the context is lost.
    void noticeFailure() noexcept;
    [[nodiscard]] bool lost() const { return lost_; }

  private:
    void revive();

    int index_;
    int clockKHz_ = 0;
    cudaDeviceProp properties_{};
    std::mutex mutex_;
    int spaces_ = 0;
    std::atomic<bool> lost_{false};
};

}  // namespace tof
