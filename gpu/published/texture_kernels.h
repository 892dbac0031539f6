// SPDX-License-Identifier: Apache-2.0
// The projection kernels of paper 000, Figs. 2 and 3.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/histo/gather.h"
#include "gpu/histo/table_kernels.h"
#include "recon/seam/space.h"

namespace tof::device {

struct TextureWork {
    cudaTextureObject_t image = 0;  ///< 3-D, zero outside
    cudaTextureObject_t ids = 0;    ///< 2-D LORmap
    DeviceSpan<const Tap> mSR;
    DeviceSpan<const float> mSRval;  ///< [row][tap]
    int taps = 0;
    int size[3] = {0, 0, 0};
    int zBegin = 0;
    int zEnd = 0;
    DeviceSpan<float> out;
    Write write = Write::Overwrite;
};

void projectTlp(cudaStream_t stream, const TextureWork& work, Gather gather);
void projectIlp(cudaStream_t stream, const TextureWork& work, Gather gather);
[[nodiscard]] const void* tlpFunction(Gather gather);
[[nodiscard]] const void* ilpFunction(Gather gather);
inline constexpr int kTextureThreads[2] = {512, 256};  ///< per block: tlp, ilp

}  // namespace tof::device
