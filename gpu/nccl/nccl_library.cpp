// SPDX-License-Identifier: Apache-2.0
#include "gpu/nccl/nccl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "recon/base/error.h"

namespace tof {

namespace {

/// Where libnccl may be: the loader's own places, then those of a toolkit.
std::vector<std::string> candidates() {
    const std::string name = fmt::format("libnccl.so.{}", NCCL_MAJOR);
    std::vector<std::string> places{name};
    for (const char* variable : {"NCCL_HOME", "CUDA_HOME", "CUDA_PATH"}) {
        if (const char* const home = std::getenv(variable)) {
            places.push_back(fmt::format("{}/lib/{}", home, name));
            places.push_back(fmt::format("{}/lib64/{}", home, name));
        }
    }
    places.push_back("/usr/local/cuda/lib64/" + name);
    return places;
}

template <typename Function>
void find(void* library, const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, symbol));
    if (function == nullptr) {
        throw Unavailable("libnccl has no function {}; install NCCL {}", symbol, NCCL_MAJOR);
    }
}

}  // namespace

std::shared_ptr<const NcclLibrary> NcclLibrary::open() {
    auto library = std::make_shared<NcclLibrary>();
    for (const std::string& place : candidates()) {
        // Never closed: its threads may outlive what was made with it.
        library->handle_.reset(::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL), [](void*) {});
        if (library->handle_ != nullptr) {
            break;
        }
    }
    if (library->handle_ == nullptr) {
        throw Unavailable("the library libnccl is not installed (looked for {})",
                          fmt::join(candidates(), ", "));
    }
    void* const handle = library->handle_.get();
    find(handle, "ncclGetUniqueId", library->getUniqueId);
    find(handle, "ncclCommInitRank", library->commInitRank);
    find(handle, "ncclCommAbort", library->commAbort);
    find(handle, "ncclAllReduce", library->allReduce);
    find(handle, "ncclSend", library->send);
    find(handle, "ncclRecv", library->recv);
    find(handle, "ncclGroupStart", library->groupStart);
    find(handle, "ncclGroupEnd", library->groupEnd);
    find(handle, "ncclGetErrorString", library->getErrorString);
    return library;
}

void NcclLibrary::check(ncclResult_t status, const char* operation) const {
    if (status != ncclSuccess) {
        throw Unavailable("NCCL could not {}: {}", operation, getErrorString(status));
    }
}

}  // namespace tof
