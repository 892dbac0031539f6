// SPDX-License-Identifier: Apache-2.0
// One thread for each voxel, grid-stride.
#include "gpu/joined/warp_kernels.h"

#include <algorithm>

#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"

namespace tof::device {

namespace in_warp_kernels {

constexpr unsigned kThreads = 256;
constexpr unsigned kMostBlocks = 4096;

__host__ __device__ std::size_t voxelsOf(const std::int32_t* size) {
    return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
           static_cast<std::size_t>(size[2]);
}

unsigned blocksOf(std::size_t n) {
    return std::min(blocksFor(n, kThreads), kMostBlocks);
}

template <typename Visit>
__device__ void forSources(const WarpArrays& warp, std::size_t voxel, const Visit& visit) {
    const auto columns = static_cast<std::size_t>(warp.map.to[0]);
    const auto rows = static_cast<std::size_t>(warp.map.to[1]);
    const std::int32_t at[3] = {static_cast<std::int32_t>(voxel % columns),
                                static_cast<std::int32_t>(voxel / columns % rows),
                                static_cast<std::int32_t>(voxel / columns / rows)};
    double mm[3] = {0, 0, 0};
    for (int axis = 0; axis < 3 && warp.mm[0] != nullptr; ++axis) {
        mm[axis] = static_cast<double>(warp.mm[axis][voxel]);
    }
    forEachSource(warp.map, at, mm, visit);
}

__global__ void __launch_bounds__(kThreads) applyKernel(const WarpArrays warp, const float* x, float* y) {
    forElements(voxelsOf(warp.map.to), [&](std::size_t voxel) {
        double sum = 0;
        forSources(warp, voxel, [&](std::size_t source, double weight) {
            sum += weight * static_cast<double>(x[source]);
        });
        y[voxel] = static_cast<float>(sum);
    });
}

/// Floats above 0 have the order of their bits.
__global__ void __launch_bounds__(kThreads) largestKernel(const float* y, std::size_t n, unsigned* largest) {
    unsigned most = 0;
    forElements(n, [&](std::size_t i) { most = max(most, __float_as_uint(fabsf(y[i]))); });
    for (unsigned step = warpSize / 2; step > 0; step /= 2) {
        most = max(most, __shfl_xor_sync(0xffffffffU, most, step));
    }
    if (threadIdx.x % warpSize == 0) {
        atomicMax(largest, most);
    }
}

/// What one of the whole numbers stands for; NaN where a value is, so that it is not lost.
__device__ double unitOf(const unsigned* largest) {
    constexpr int kBits = 40;  // 2^23 contributions of the largest value do not overflow
    const float most = __uint_as_float(*largest);
    return most == 0 ? 1.0 : ldexp(static_cast<double>(most), -kBits);
}

__global__ void __launch_bounds__(kThreads)
    spreadKernel(const WarpArrays warp, const float* y, const unsigned* largest, unsigned long long* sums) {
    const double perUnit = 1 / unitOf(largest);
    forElements(voxelsOf(warp.map.to), [&](std::size_t voxel) {
        const double value = perUnit * static_cast<double>(y[voxel]);
        forSources(warp, voxel, [&](std::size_t source, double weight) {
            // Two's complement: negative values wrap round and back.
            atomicAdd(&sums[source], static_cast<unsigned long long>(__double2ll_rn(weight * value)));
        });
    });
}

__global__ void __launch_bounds__(kThreads) gatherKernel(std::size_t n, const unsigned long long* sums,
                                                         const unsigned* largest, float keep, float* x) {
    const double unit = unitOf(largest);
    forElements(n, [&](std::size_t i) {
        const double sum = unit * static_cast<double>(static_cast<long long>(sums[i]));
        x[i] = static_cast<float>(keep > 0 ? static_cast<double>(x[i]) + sum : sum);
    });
}

}  // namespace in_warp_kernels
using namespace in_warp_kernels;

void applyWarp(const WarpArrays& warp, const float* x, float* y, cudaStream_t stream) {
    const std::size_t voxels = voxelsOf(warp.map.to);
    applyKernel<<<blocksOf(voxels), kThreads, 0, stream>>>(warp, x, y);
    checkLaunch("warp", {voxels});
}

void transposeWarp(const WarpArrays& warp, const float* y, float* x, float keep, unsigned long long* sums,
                   unsigned* largest, cudaStream_t stream) {
    const std::size_t seen = voxelsOf(warp.map.to);
    const std::size_t voxels = voxelsOf(warp.map.from);
    check(cudaMemsetAsync(sums, 0, voxels * sizeof(*sums), stream), "clear sums", {voxels});
    check(cudaMemsetAsync(largest, 0, sizeof(*largest), stream), "clear a maximum");
    largestKernel<<<blocksOf(seen), kThreads, 0, stream>>>(y, seen, largest);
    spreadKernel<<<blocksOf(seen), kThreads, 0, stream>>>(warp, y, largest, sums);
    gatherKernel<<<blocksOf(voxels), kThreads, 0, stream>>>(voxels, sums, largest, keep, x);
    checkLaunch("transposed warp", {seen, voxels});
}

}  // namespace tof::device
