// SPDX-License-Identifier: Apache-2.0
#include "gpu/nccl/nccl_library.h"

#include <fmt/format.h>

#include "recon/base/error.h"

namespace tof {

NcclLibrary::NcclLibrary(const DynamicLibrary& library) : library_(library) {
    library_.find("ncclGetUniqueId", getUniqueId);
    library_.find("ncclCommInitRank", commInitRank);
    library_.find("ncclCommAbort", commAbort);
    library_.find("ncclAllReduce", allReduce);
    library_.find("ncclSend", send);
    library_.find("ncclRecv", recv);
    library_.find("ncclGroupStart", groupStart);
    library_.find("ncclGroupEnd", groupEnd);
    library_.find("ncclGetErrorString", getErrorString);
}

std::shared_ptr<const NcclLibrary> NcclLibrary::open() {
    // Never closed: its threads may outlive what was made with it.
    return std::make_shared<NcclLibrary>(DynamicLibrary({.name = "libnccl",
                                                         .major = NCCL_MAJOR,
                                                         .homes = {"NCCL_HOME", "CUDA_HOME", "CUDA_PATH"},
                                                         .folders = {"lib", "lib64"},
                                                         .remedy = fmt::format("install NCCL {}", NCCL_MAJOR),
                                                         .closed = false}));
}

void NcclLibrary::check(ncclResult_t status, const char* operation) const {
    if (status != ncclSuccess) {
        throw Unavailable("NCCL could not {}: {}", operation, getErrorString(status));
    }
}

}  // namespace tof
