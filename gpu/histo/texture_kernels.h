// SPDX-License-Identifier: Apache-2.0
// The projection kernels of paper 000, Figs. 2 and 3.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/histo/table_kernels.h"

namespace tof::device {

struct TextureWork {
    cudaTextureObject_t image = 0;  ///< 3-D, zero outside
    cudaTextureObject_t ids = 0;    ///< 2-D LORmap
    const Tap* mSR = nullptr;
    const float* mSRval = nullptr;  ///< [row][tap]
    int taps = 0;
    int size[3] = {0, 0, 0};
    int zBegin = 0;
    int zEnd = 0;
    float* out = nullptr;
    bool add = false;
};

enum class Gather { ByTarget, BySource };  ///< whose kernel weighs: back, forward

void projectTlp(cudaStream_t stream, const TextureWork& work, Gather gather);
void projectIlp(cudaStream_t stream, const TextureWork& work, Gather gather);
[[nodiscard]] const void* tlpFunction(Gather gather);
[[nodiscard]] const void* ilpFunction(Gather gather);
inline constexpr int kTextureThreads[2] = {512, 256};  ///< per block: tlp, ilp

}  // namespace tof::device
