// SPDX-License-Identifier: Apache-2.0
// Arrays from device to device by NCCL, which is opened at run time: a machine without it passes them through
// host memory.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <span>
#include <string>

#include "recon/seam/space.h"

namespace tof {

/// SpacePeers of bare memory. Operations are ordered on a stream, which outlives them.
class NcclPeers {
  public:
    NcclPeers() = default;
    virtual ~NcclPeers() = default;
    NcclPeers(const NcclPeers&) = delete;
    NcclPeers& operator=(const NcclPeers&) = delete;
    virtual void sum(MutableView x) = 0;
    virtual void exchange(std::span<const SpacePeers::Sent> sent,
                          std::span<const SpacePeers::Received> received) = 0;
};

/// The device's name among all, "GPU-" and its UUID, where libnccl can be opened; else empty.
[[nodiscard]] std::string ncclName(const cudaDeviceProp& card);
/// What Space::peerKey() gives. Throws Unavailable.
[[nodiscard]] std::string ncclKey();
/// Connects the calling thread's device, for operations on `stream`, to those of the other ranks, which call
/// this, too. Throws Unavailable with NCCL's words.
[[nodiscard]] std::unique_ptr<NcclPeers> joinNccl(const std::string& key, int rank, int size,
                                                  cudaStream_t stream);

}  // namespace tof
