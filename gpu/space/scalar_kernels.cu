// SPDX-License-Identifier: Apache-2.0
#include "gpu/space/scalar_kernels.h"

#include "gpu/space/cuda_check.h"

namespace tof::device {

namespace {

__global__ void scaleKernel(double* value, double factor) {
    *value *= factor;
}

}  // namespace

void scale(cudaStream_t stream, double* value, double factor) {
    scaleKernel<<<1, 1, 0, stream>>>(value, factor);
    checkLaunch("scale a number");
}

}  // namespace tof::device
