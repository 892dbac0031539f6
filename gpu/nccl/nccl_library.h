// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>

#include <memory>

#include "gpu/library/dynamic_library.h"

namespace tof {

/// libnccl, opened at run time.
class NcclLibrary {
  public:
    /// Throws Unavailable where a function is missing.
    explicit NcclLibrary(const DynamicLibrary& library);

    /// Throws Unavailable saying where it was looked for.
    [[nodiscard]] static std::shared_ptr<const NcclLibrary> open();

    decltype(&ncclGetUniqueId) getUniqueId = nullptr;
    decltype(&ncclCommInitRank) commInitRank = nullptr;
    decltype(&ncclCommAbort) commAbort = nullptr;
    decltype(&ncclAllReduce) allReduce = nullptr;
    decltype(&ncclSend) send = nullptr;
    decltype(&ncclRecv) recv = nullptr;
    decltype(&ncclGroupStart) groupStart = nullptr;
    decltype(&ncclGroupEnd) groupEnd = nullptr;
    decltype(&ncclGetErrorString) getErrorString = nullptr;

    /// Throws Unavailable naming the operation, in NCCL's words, when `status` is not success.
    void check(ncclResult_t status, const char* operation) const;

  private:
    DynamicLibrary library_;
};

}  // namespace tof
