// SPDX-License-Identifier: Apache-2.0
#include "gpu/lines/blur_kernels.h"

#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_blur_kernels {

constexpr unsigned kThreads = 128;
constexpr unsigned kRowsOfBlock = 4;
constexpr int kPlanes = 4;  ///< how many one thread sums, with one set of weights of a column

__host__ __device__ std::size_t voxelsOf(dim3 size) {
    return static_cast<std::size_t>(size.x) * size.y * size.z;
}

__global__ void blurAxisKernel(dim3 size, int axis, DeviceSpan<const float> weights, const float* in,
                               float* out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= voxelsOf(size)) {
        return;
    }
    const std::size_t plane = static_cast<std::size_t>(size.x) * size.y;
    const std::size_t stride = axis == 0 ? 1 : (axis == 1 ? size.x : plane);
    const int length = static_cast<int>(axis == 0 ? size.x : (axis == 1 ? size.y : size.z));
    const int at = static_cast<int>(i / stride % length);
    float sum = weights[0] * in[i];
    const int count = static_cast<int>(weights.size());
    for (int k = 1; k < count; ++k) {
        const float before = at >= k ? in[i - k * stride] : 0.0F;
        const float after = at + k < length ? in[i + k * stride] : 0.0F;
        sum += weights[k] * (before + after);
    }
    out[i] = sum;
}

__global__ void blurColumnsKernel(dim3 size, DeviceSpan<const float> weights, const float* in, float* out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= voxelsOf(size)) {
        return;
    }
    const std::size_t columns = static_cast<std::size_t>(size.x) * size.y;
    const int z = static_cast<int>(i / columns);
    const int length = static_cast<int>(size.z);
    const float* weight = weights.get() + i % columns;
    float sum = *weight * in[i];
    const int count = static_cast<int>(weights.size() / columns);
    for (int k = 1; k < count; ++k) {
        weight += columns;
        const float before = z >= k ? in[i - k * columns] : 0.0F;
        const float after = z + k < length ? in[i + k * columns] : 0.0F;
        sum += *weight * (before + after);
    }
    out[i] = sum;
}

enum class Way { Send, Fetch };

/// A column's planes from `z` on: adds what comes from the column `at`, `weight` times.
__device__ void addColumn(dim3 size, std::size_t at, int z, float weight, const float* in,
                          float (&sums)[kPlanes]) {
    const std::size_t columns = static_cast<std::size_t>(size.x) * size.y;
    for (int k = 0; k < kPlanes; ++k) {
        if (z + k < static_cast<int>(size.z)) {
            sums[k] += weight * in[(z + k) * columns + at];
        }
    }
}

template <Way way>
__global__ void __launch_bounds__(kThreads)
    acrossKernel(dim3 size, AcrossTaps across, const float* in, float* out) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int z = static_cast<int>(blockIdx.z) * kPlanes;
    const int width = static_cast<int>(size.x);
    const int height = static_cast<int>(size.y);
    if (x >= width || y >= height) {
        return;
    }
    const std::size_t columns = static_cast<std::size_t>(size.x) * size.y;
    const std::size_t own = static_cast<std::size_t>(y) * width + x;
    const float* weights = across.weights.get();
    float sums[kPlanes] = {};
    addColumn(size, own, z, weights[own], in, sums);
    const int count = static_cast<int>(across.taps.size());
    for (int t = 1; t < count; ++t) {
        weights += columns;
        const int2 tap = across.taps[t];
        for (int sign = -1; sign <= 1; sign += 2) {
            const int otherX = x + sign * tap.x;
            const int otherY = y + sign * tap.y;
            if (otherX >= 0 && otherX < width && otherY >= 0 && otherY < height) {
                const std::size_t other = static_cast<std::size_t>(otherY) * width + otherX;
                addColumn(size, other, z, weights[way == Way::Send ? other : own], in, sums);
            }
        }
    }
    for (int k = 0; k < kPlanes; ++k) {
        if (z + k < static_cast<int>(size.z)) {
            out[(z + k) * columns + own] = sums[k];
        }
    }
}

unsigned blocksFor(std::size_t n, unsigned threads) {
    return static_cast<unsigned>((n + threads - 1) / threads);
}

dim3 dimensions(const std::array<int, 3>& size) {
    return {static_cast<unsigned>(size[0]), static_cast<unsigned>(size[1]), static_cast<unsigned>(size[2])};
}

template <Way way>
void passAcross(cudaStream_t stream, const std::array<int, 3>& size, const AcrossTaps& across,
                DeviceSpan<const float> in, DeviceSpan<float> out) {
    const dim3 dims = dimensions(size);
    constexpr unsigned kColumns = kThreads / kRowsOfBlock;
    const dim3 blocks(blocksFor(dims.x, kColumns), blocksFor(dims.y, kRowsOfBlock),
                      blocksFor(dims.z, kPlanes));
    acrossKernel<way><<<blocks, dim3(kColumns, kRowsOfBlock), 0, stream>>>(dims, across, in.get(), out.get());
    checkLaunch("image blur by place", {voxelsOf(dims)});
}

}  // namespace in_blur_kernels
using namespace in_blur_kernels;

void blurAxis(cudaStream_t stream, const std::array<int, 3>& size, int axis, DeviceSpan<const float> weights,
              DeviceSpan<const float> in, DeviceSpan<float> out) {
    const dim3 dims = dimensions(size);
    blurAxisKernel<<<blocksFor(voxelsOf(dims), kThreads), kThreads, 0, stream>>>(dims, axis, weights,
                                                                                 in.get(), out.get());
    checkLaunch("image blur", {voxelsOf(dims)});
}

void blurColumns(cudaStream_t stream, const std::array<int, 3>& size, DeviceSpan<const float> weights,
                 DeviceSpan<const float> in, DeviceSpan<float> out) {
    const dim3 dims = dimensions(size);
    blurColumnsKernel<<<blocksFor(voxelsOf(dims), kThreads), kThreads, 0, stream>>>(dims, weights, in.get(),
                                                                                    out.get());
    checkLaunch("image blur of columns", {voxelsOf(dims)});
}

void sendAcross(cudaStream_t stream, const std::array<int, 3>& size, const AcrossTaps& across,
                DeviceSpan<const float> in, DeviceSpan<float> out) {
    passAcross<Way::Send>(stream, size, across, in, out);
}

void fetchAcross(cudaStream_t stream, const std::array<int, 3>& size, const AcrossTaps& across,
                 DeviceSpan<const float> in, DeviceSpan<float> out) {
    passAcross<Way::Fetch>(stream, size, across, in, out);
}

}  // namespace tof::device
