// SPDX-License-Identifier: Apache-2.0
// One thread per element of the result; no shared memory. Sizes: any.
#include "gpu/published/two_stage_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"

namespace tof::device {

namespace in_two_stage_kernels {

__device__ inline float triangle(float d) {
    return fmaxf(0.0F, 1.0F - fabsf(d));
}

__global__ void sampleKernel(TwoStageShape s, const float* volume, float* aligned) {
    const int i = static_cast<int>(blockIdx.x * kTwoStageThreads + threadIdx.x);
    const int j = static_cast<int>(blockIdx.y);
    const int k = static_cast<int>(blockIdx.z);
    if (i >= s.aligned[0]) {
        return;
    }
    float p[3];
    int low[3];
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        p[d] = s.start[d] + static_cast<float>(i) * s.step[0][d] + static_cast<float>(j) * s.step[1][d] +
               static_cast<float>(k) * s.step[2][d];
        low[d] = static_cast<int>(floorf(p[d]));
    }
    float sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const int x = low[0] + (corner & 1);
        const int y = low[1] + (corner >> 1 & 1);
        const int z = low[2] + (corner >> 2);
        if (x >= 0 && y >= 0 && z >= 0 && x < s.size[0] && y < s.size[1] && z < s.size[2]) {
            sum += triangle(p[0] - static_cast<float>(x)) * triangle(p[1] - static_cast<float>(y)) *
                   triangle(p[2] - static_cast<float>(z)) *
                   volume[(static_cast<std::size_t>(z) * static_cast<std::size_t>(s.size[1]) +
                           static_cast<std::size_t>(y)) *
                              static_cast<std::size_t>(s.size[0]) +
                          static_cast<std::size_t>(x)];
        }
    }
    aligned[(static_cast<std::size_t>(k) * static_cast<std::size_t>(s.aligned[1]) +
             static_cast<std::size_t>(j)) *
                static_cast<std::size_t>(s.aligned[0]) +
            static_cast<std::size_t>(i)] = sum;
}

__global__ void spreadKernel(TwoStageShape s, const float* aligned, float* volume, Write write) {
    const int x = static_cast<int>(blockIdx.x * kTwoStageThreads + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y);
    const int z = static_cast<int>(blockIdx.z);
    if (x >= s.size[0]) {
        return;
    }
    int centre[3];
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        centre[d] = static_cast<int>(rintf(s.back[d] + static_cast<float>(x) * s.toAligned[0][d] +
                                           static_cast<float>(y) * s.toAligned[1][d] +
                                           static_cast<float>(z) * s.toAligned[2][d]));
    }
    const int n = s.neighbours;
    float sum = 0;
    for (int k = max(0, centre[2] - n); k <= min(s.aligned[2] - 1, centre[2] + n); ++k) {
        for (int j = max(0, centre[1] - n); j <= min(s.aligned[1] - 1, centre[1] + n); ++j) {
            for (int i = max(0, centre[0] - n); i <= min(s.aligned[0] - 1, centre[0] + n); ++i) {
                float p[3];
#pragma unroll
                for (int d = 0; d < 3; ++d) {  // as in sampleKernel, to the last bit
                    p[d] = s.start[d] + static_cast<float>(i) * s.step[0][d] +
                           static_cast<float>(j) * s.step[1][d] + static_cast<float>(k) * s.step[2][d];
                }
                const float w = triangle(p[0] - static_cast<float>(x)) *
                                triangle(p[1] - static_cast<float>(y)) *
                                triangle(p[2] - static_cast<float>(z));
                if (w > 0) {
                    sum += w * aligned[(static_cast<std::size_t>(k) * static_cast<std::size_t>(s.aligned[1]) +
                                        static_cast<std::size_t>(j)) *
                                           static_cast<std::size_t>(s.aligned[0]) +
                                       static_cast<std::size_t>(i)];
                }
            }
        }
    }
    float* const out =
        volume +
        (static_cast<std::size_t>(z) * static_cast<std::size_t>(s.size[1]) + static_cast<std::size_t>(y)) *
            static_cast<std::size_t>(s.size[0]) +
        static_cast<std::size_t>(x);
    *out = write == Write::Add ? *out + s.weight * sum : s.weight * sum;
}

__global__ void convolveKernel(TwoStageShape s, LineKernel kernel, const float* from, float* to) {
    const int i = static_cast<int>(blockIdx.x * kTwoStageThreads + threadIdx.x);
    if (i >= s.aligned[0]) {
        return;
    }
    const int axis = kernel.axis;
    const int reach = kernel.reach;
    const bool bySource = kernel.gather == Gather::BySource;
    const int index[3] = {i, static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.z)};
    const int here = axis == 0 ? index[0] : axis == 1 ? index[1] : index[2];
    const int length = axis == 0 ? s.aligned[0] : axis == 1 ? s.aligned[1] : s.aligned[2];
    const std::size_t stride =
        axis == 0   ? 1
        : axis == 1 ? static_cast<std::size_t>(s.aligned[0])
                    : static_cast<std::size_t>(s.aligned[0]) * static_cast<std::size_t>(s.aligned[1]);
    const std::size_t at = (static_cast<std::size_t>(index[2]) * static_cast<std::size_t>(s.aligned[1]) +
                            static_cast<std::size_t>(index[1])) *
                               static_cast<std::size_t>(s.aligned[0]) +
                           static_cast<std::size_t>(i);
    const float* const line = from + (at - static_cast<std::size_t>(here) * stride);
    const int width = 2 * reach + 1;
    float sum = 0;
    for (int q = max(-reach, -here); q <= min(reach, length - 1 - here); ++q) {
        const int row = kernel.rows.empty() ? 0 : kernel.rows[bySource ? here + q : here];
        sum += __ldg(kernel.values.get() + row * width + (bySource ? reach - q : reach + q)) *
               line[static_cast<std::size_t>(here + q) * stride];
    }
    to[at] = sum;
}

dim3 gridFor(const int (&n)[3]) {
    return {blocksFor(n[0], kTwoStageThreads), static_cast<unsigned>(n[1]), static_cast<unsigned>(n[2])};
}

}  // namespace in_two_stage_kernels
using namespace in_two_stage_kernels;

void sampleAligned(cudaStream_t stream, const TwoStageShape& s, DeviceSpan<const float> volume,
                   DeviceSpan<float> aligned) {
    sampleKernel<<<gridFor(s.aligned), kTwoStageThreads, 0, stream>>>(s, volume.get(), aligned.get());
    checkLaunch("resample along the view's axes");
}

void spreadAligned(cudaStream_t stream, const TwoStageShape& s, DeviceSpan<const float> aligned,
                   DeviceSpan<float> volume, Write write) {
    spreadKernel<<<gridFor(s.size), kTwoStageThreads, 0, stream>>>(s, aligned.get(), volume.get(), write);
    checkLaunch("resample to the lattice");
}

void convolveAligned(cudaStream_t stream, const TwoStageShape& s, const LineKernel& kernel,
                     DeviceSpan<const float> from, DeviceSpan<float> to) {
    convolveKernel<<<gridFor(s.aligned), kTwoStageThreads, 0, stream>>>(s, kernel, from.get(), to.get());
    checkLaunch("convolve lines");
}

const void* convolveFunction() {
    return reinterpret_cast<const void*>(&convolveKernel);
}

}  // namespace tof::device
