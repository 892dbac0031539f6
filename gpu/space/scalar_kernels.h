// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace tof::device {

/// *value *= factor, in device memory.
void scale(cudaStream_t stream, double* value, double factor);

}  // namespace tof::device
