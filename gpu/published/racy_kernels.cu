// SPDX-License-Identifier: Apache-2.0
// One thread follows all rays of one datum, as in gpu/lines/line_kernels.cu.
#include "gpu/published/racy_kernels.h"

#include "gpu/lines/line_device.cuh"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"

namespace tof::device {

namespace in_racy_kernels {

constexpr unsigned kRacyThreads = 128;

__global__ void __launch_bounds__(kRacyThreads) racyBackKernel(LinePart part, const float* p, float* image) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= part.data || p[i] == 0.0F) {
        return;
    }
    const float value = rayShare(part) * p[i];
    followDatum(part, i, [&](int voxel, float length) { image[voxel] += length * value; });
}

}  // namespace in_racy_kernels
using namespace in_racy_kernels;

void lineBackRacy(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> p,
                  DeviceSpan<float> image) {
    racyBackKernel<<<blocksFor(part.data, kRacyThreads), kRacyThreads, 0, stream>>>(part, p.get(),
                                                                                    image.get());
    checkLaunch("racy ring back projection", {part.data});
}

}  // namespace tof::device
