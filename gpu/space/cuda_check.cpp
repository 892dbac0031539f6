// SPDX-License-Identifier: Apache-2.0
#include "gpu/space/cuda_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "recon/base/error.h"

namespace tof {

void check(cudaError_t status, const char* operation, std::initializer_list<std::size_t> sizes) {
    if (status == cudaSuccess) {
        return;
    }
    static_cast<void>(cudaGetLastError());
    const std::vector<std::size_t> list(sizes);
    const std::string shape = list.empty() ? std::string() : fmt::format(" [{}]", fmt::join(list, " x "));
    throw Unavailable("CUDA could not do '{}'{}: {} ({}); the work on the device is lost", operation, shape,
                      cudaGetErrorString(status), cudaGetErrorName(status));
}

void checkLaunch(const char* kernel, std::initializer_list<std::size_t> sizes) {
    check(cudaGetLastError(), kernel, sizes);
}

}  // namespace tof
