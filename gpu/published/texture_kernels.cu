// SPDX-License-Identifier: Apache-2.0
// Who: one thread per voxel (tlp, blocks of 16 x 16 x 2), or per 16 voxels along z (ilp, blocks of 16 x 16 x
// 1). Result in registers of the thread; no shared memory. Sizes: any.
#include "gpu/published/texture_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"

namespace tof::device {

namespace in_texture_kernels {

constexpr int kSide = 16;
constexpr int kTlpDepth = 2;
constexpr int kIlp = 16;
/// Products added up before their sum joins the total: sums of thousands of terms keep their last digits.
constexpr int kTapsPerSum = 256;

__device__ inline void store(float* out, float value, Write write) {
    *out = write == Write::Add ? *out + value : value;
}

template <Gather gather>
__global__ void __launch_bounds__(kSide* kSide* kTlpDepth) tlpKernel(TextureWork w) {
    const int col = static_cast<int>(blockIdx.x) * kSide + static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(blockIdx.y) * kSide + static_cast<int>(threadIdx.y);
    const int dep = w.zBegin + static_cast<int>(blockIdx.z) * kTlpDepth + static_cast<int>(threadIdx.z);
    if (col >= w.size[0] || row >= w.size[1] || dep >= w.zEnd) {
        return;
    }
    const int sign = gather == Gather::ByTarget ? 1 : -1;
    const float* values =
        w.mSRval.get() + static_cast<std::size_t>(tex2D<int>(w.ids, col + 0.5F, row + 0.5F)) *
                             static_cast<std::size_t>(w.taps);
    float sum = 0;
    float total = 0;
    for (int i = 0; i < w.taps; ++i) {
        if (i % kTapsPerSum == kTapsPerSum - 1) {
            total += sum;
            sum = 0;
        }
        const Tap m = w.mSR[i];
        const float x = static_cast<float>(col + sign * m.x) + 0.5F;
        const float y = static_cast<float>(row + sign * m.y) + 0.5F;
        const float z = static_cast<float>(dep + sign * m.z) + 0.5F;
        if constexpr (gather == Gather::BySource) {
            values = w.mSRval.get() +
                     static_cast<std::size_t>(tex2D<int>(w.ids, x, y)) * static_cast<std::size_t>(w.taps);
        }
        sum += values[i] * tex3D<float>(w.image, x, y, z);
    }
    const std::size_t plane = static_cast<std::size_t>(w.size[0]) * static_cast<std::size_t>(w.size[1]);
    store(
        w.out.get() + static_cast<std::size_t>(dep) * plane + static_cast<std::size_t>(row * w.size[0] + col),
        total + sum, w.write);
}

template <Gather gather>
__global__ void __launch_bounds__(kSide* kSide) ilpKernel(TextureWork w) {
    const int col = static_cast<int>(blockIdx.x) * kSide + static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(blockIdx.y) * kSide + static_cast<int>(threadIdx.y);
    const int dep = w.zBegin + static_cast<int>(blockIdx.z) * kIlp;
    if (col >= w.size[0] || row >= w.size[1]) {
        return;
    }
    const int sign = gather == Gather::ByTarget ? 1 : -1;
    const float* values =
        w.mSRval.get() + static_cast<std::size_t>(tex2D<int>(w.ids, col + 0.5F, row + 0.5F)) *
                             static_cast<std::size_t>(w.taps);
    float sum[kIlp] = {};
    float total[kIlp] = {};
    for (int i = 0; i < w.taps; ++i) {
        if (i % kTapsPerSum == kTapsPerSum - 1) {
#pragma unroll
            for (int j = 0; j < kIlp; ++j) {
                total[j] += sum[j];
                sum[j] = 0;
            }
        }
        const Tap m = w.mSR[i];
        const float x = static_cast<float>(col + sign * m.x) + 0.5F;
        const float y = static_cast<float>(row + sign * m.y) + 0.5F;
        const float z = static_cast<float>(dep + sign * m.z) + 0.5F;
        if constexpr (gather == Gather::BySource) {
            values = w.mSRval.get() +
                     static_cast<std::size_t>(tex2D<int>(w.ids, x, y)) * static_cast<std::size_t>(w.taps);
        }
        const float value = values[i];
        float source[kIlp];
#pragma unroll
        for (int j = 0; j < kIlp; ++j) {
            source[j] = tex3D<float>(w.image, x, y, z + static_cast<float>(j));
        }
#pragma unroll
        for (int j = 0; j < kIlp; ++j) {
            sum[j] += source[j] * value;
        }
    }
    const std::size_t plane = static_cast<std::size_t>(w.size[0]) * static_cast<std::size_t>(w.size[1]);
#pragma unroll
    for (int j = 0; j < kIlp; ++j) {
        if (dep + j < w.zEnd) {
            store(w.out.get() + static_cast<std::size_t>(dep + j) * plane +
                      static_cast<std::size_t>(row * w.size[0] + col),
                  total[j] + sum[j], w.write);
        }
    }
}

using TextureFunction = void (*)(TextureWork);
TextureFunction tlpFor(Gather gather) {
    return gather == Gather::ByTarget ? tlpKernel<Gather::ByTarget> : tlpKernel<Gather::BySource>;
}
TextureFunction ilpFor(Gather gather) {
    return gather == Gather::ByTarget ? ilpKernel<Gather::ByTarget> : ilpKernel<Gather::BySource>;
}

/// A block takes `depth` slices.
dim3 gridFor(const TextureWork& w, int depth) {
    return {blocksFor(w.size[0], kSide), blocksFor(w.size[1], kSide), blocksFor(w.zEnd - w.zBegin, depth)};
}

}  // namespace in_texture_kernels
using namespace in_texture_kernels;

void projectTlp(cudaStream_t stream, const TextureWork& w, Gather gather) {
    const dim3 grid = gridFor(w, kTlpDepth);
    tlpFor(gather)<<<grid, dim3(kSide, kSide, kTlpDepth), 0, stream>>>(w);
    checkLaunch("project with the tlp kernel", {grid.x, grid.y, grid.z});
}

void projectIlp(cudaStream_t stream, const TextureWork& w, Gather gather) {
    const dim3 grid = gridFor(w, kIlp);
    ilpFor(gather)<<<grid, dim3(kSide, kSide, 1), 0, stream>>>(w);
    checkLaunch("project with the ilp kernel", {grid.x, grid.y, grid.z});
}

const void* tlpFunction(Gather gather) {
    return reinterpret_cast<const void*>(tlpFor(gather));
}

const void* ilpFunction(Gather gather) {
    return reinterpret_cast<const void*>(ilpFor(gather));
}

}  // namespace tof::device
