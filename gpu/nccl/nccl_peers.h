// SPDX-License-Identifier: Apache-2.0
// Arrays from device to device by NCCL, which is opened at run time: a machine without it passes them through
// host memory.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "recon/seam/space.h"

namespace tof {

/// The device's name among all, "GPU-" and its UUID, where libnccl can be opened; else empty.
[[nodiscard]] std::string ncclName(const cudaDeviceProp& card);
/// What Space::peerKey() gives. Throws Unavailable.
[[nodiscard]] std::string ncclKey();
/// Space::joinPeers() of the calling thread's device; operations are ordered on `stream`, which must outlive
/// the peers. Throws Unavailable with NCCL's words.
[[nodiscard]] std::unique_ptr<SpacePeers> joinNccl(const std::string& key, int rank, int size,
                                                   cudaStream_t stream);

}  // namespace tof
