// SPDX-License-Identifier: Apache-2.0
// Every CUDA call of this project goes through check().
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <initializer_list>

namespace tof {

/// Throws Unavailable naming the operation, its sizes and CUDA's own words, unless `status` is success. The
/// runtime's pending error is cleared, so that no later call is blamed for it.
void check(cudaError_t status, const char* operation, std::initializer_list<std::size_t> sizes = {});

/// Throws when an error of an earlier launch is pending, then reports errors of the launch just made.
void checkLaunch(const char* kernel, std::initializer_list<std::size_t> sizes = {});

}  // namespace tof
