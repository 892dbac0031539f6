// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "gpu/space/cuda_device.h"
#include "gpu/space/cuda_owned.h"
#include "recon/base/parallel.h"

namespace tof {

/// Copies pageable memory to a device through page-locked buffers.
///
/// Each thread takes a piece, fills a buffer of its own and hands it to the copy engine: nobody waits for the
/// slowest, and the link is busy while the next pieces are filled. Buffers are made when first needed,
/// because locking pages costs more than copying them. One copy() at a time.
class StagedCopy {
  public:
    StagedCopy(std::shared_ptr<CudaDevice> device, const ThreadPool& pool);

    /// Enqueues the copy of `from` to `to` on `stream`; returns when `from` was read to its end. Throws
    /// DeviceFailed.
    void copy(cudaStream_t stream, std::span<const std::byte> from, void* to);

  private:
    struct Buffer {
        PinnedBuffer<std::byte> host;
        OwnedEvent sent;
    };
    class Lease;

    [[nodiscard]] Buffer* take();
    void giveBack(Buffer* buffer);

    std::shared_ptr<CudaDevice> device_;
    const ThreadPool& pool_;
    std::size_t limit_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::deque<Buffer*> idle_;  ///< the one sent longest ago first
};

}  // namespace tof
