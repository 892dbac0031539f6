// SPDX-License-Identifier: Apache-2.0
// Warps of images on the device.
#pragma once

#include <cuda_runtime_api.h>

#include "recon/joined/warp_math.h"

namespace tof::device {

/// A warp with its displacements, mm by axis, on the device; null: none. A parameter of kernels.
struct WarpArrays {
    WarpMap map;
    const float* mm[3];
};

/// y = W x.
void applyWarp(const WarpArrays& warp, const float* x, float* y, cudaStream_t stream);

/// x += W^T y, or x = W^T y where `keep` is 0. Contributions are added as whole numbers of 2^-40 of the
/// largest |y|, so that their order does not matter. `sums` has room for the image, `largest` for one number.
void transposeWarp(const WarpArrays& warp, const float* y, float* x, float keep, unsigned long long* sums,
                   unsigned* largest, cudaStream_t stream);

}  // namespace tof::device
