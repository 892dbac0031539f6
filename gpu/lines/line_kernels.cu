// SPDX-License-Identifier: Apache-2.0
// One thread follows all rays of one datum; the path is the host's own function, in double. No shared memory.
#include "gpu/lines/line_kernels.h"

#include <algorithm>

#include "gpu/lines/line_device.cuh"
#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_line_kernels {

constexpr unsigned kThreads = 128;

__global__ void __launch_bounds__(kThreads) forwardKernel(LinePart part, const float* image, float* p) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    double sum = 0;
    followDatum(part, i, [&](int voxel, float length) { sum += static_cast<double>(length * image[voxel]); });
    p[i] = rayShare(part) * static_cast<float>(sum);
}

__global__ void __launch_bounds__(kThreads) backKernel(LinePart part, const float* p, float* image) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= part.data || p[i] == 0.0F) {
        return;
    }
    const float value = rayShare(part) * p[i];
    followDatum(part, i, [&](int voxel, float length) { atomicAdd(image + voxel, length * value); });
}

__global__ void largestKernel(const float* p, std::size_t n, unsigned* largest) {
    unsigned mine = 0;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        const unsigned bits = __float_as_uint(fabsf(p[i]));  // grows with the value
        mine = bits > mine ? bits : mine;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const unsigned other = __shfl_down_sync(kAllLanes, mine, offset);
        mine = other > mine ? other : mine;
    }
    if (threadIdx.x % 32 == 0 && mine > 0) {
        atomicMax(largest, mine);
    }
}

__global__ void scaleKernel(LinePart part, FixedScale* scale) {
    double way = 0;
    for (int k = 0; k < 3; ++k) {
        way += part.op.grid.spacing[k];
    }
    const double bound = static_cast<double>(__uint_as_float(scale->largest)) * way *
                         static_cast<double>(part.data) * part.radialRays * part.axialRays;
    scale->exponent = bound > 0 ? kFixedBits - 1 - ilogb(bound) : 0;
}

__global__ void __launch_bounds__(kThreads)
    backFixedKernel(LinePart part, const float* p, const FixedScale* scale, FixedSum* sums) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const std::size_t datum = !part.points.empty() ? i : datumOf<Lanes::Sinograms>(part, i);
    if (p[datum] == 0.0F) {
        return;
    }
    const double value = ldexp(static_cast<double>(p[datum]), scale->exponent);
    followDatum(part, datum, [&](int voxel, float length) {
        atomicAdd(sums + voxel, static_cast<FixedSum>(__double2ll_rn(static_cast<double>(length) * value)));
    });
}

__host__ __device__ std::size_t voxelsOf(dim3 size) {
    return static_cast<std::size_t>(size.x) * size.y * size.z;
}

__global__ void finishFixedKernel(LinePart part, dim3 size, const FixedScale* scale, FixedSum* sums,
                                  Write write, float* image) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= voxelsOf(size)) {
        return;
    }
    const int x = static_cast<int>(i % size.x);
    const int y = static_cast<int>(i / size.x % size.y);
    const int z = static_cast<int>(i / size.x / size.y);
    const RayGrid& grid = part.op.grid;
    const int at = x * grid.stride[0] + y * grid.stride[1] + z * grid.stride[2];
    const auto sum = static_cast<double>(static_cast<long long>(sums[at]));
    sums[at] = 0;
    const double share = 1.0 / (part.radialRays * part.axialRays);
    const auto value = static_cast<float>(ldexp(sum, -scale->exponent) * share);
    image[i] = write == Write::Add ? image[i] + value : value;
}

unsigned blocksFor(std::size_t n, unsigned threads) {
    return static_cast<unsigned>((n + threads - 1) / threads);
}

dim3 dimensions(const std::array<int, 3>& size) {
    return {static_cast<unsigned>(size[0]), static_cast<unsigned>(size[1]), static_cast<unsigned>(size[2])};
}

}  // namespace in_line_kernels
using namespace in_line_kernels;

void lineForward(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> image,
                 DeviceSpan<float> p) {
    forwardKernel<<<blocksFor(part.data, kThreads), kThreads, 0, stream>>>(part, image.get(), p.get());
    checkLaunch("ring forward projection", {part.data});
}

void lineBackAtomic(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> p,
                    DeviceSpan<float> image) {
    backKernel<<<blocksFor(part.data, kThreads), kThreads, 0, stream>>>(part, p.get(), image.get());
    checkLaunch("atomic ring back projection", {part.data});
}

void largestDatum(cudaStream_t stream, DeviceSpan<const float> p, DeviceSpan<unsigned> largest) {
    check(cudaMemsetAsync(largest.get(), 0, sizeof(unsigned), stream), "clear a maximum");
    const unsigned blocks = std::min(blocksFor(p.size(), kThreads), 4096U);
    largestKernel<<<blocks, kThreads, 0, stream>>>(p.get(), p.size(), largest.get());
    checkLaunch("largest datum", {p.size()});
}

void lineScale(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> p,
               DeviceSpan<FixedScale> scale) {
    largestDatum(stream, p.part(0, part.data), {&scale.get()->largest, 1});
    scaleKernel<<<1, 1, 0, stream>>>(part, scale.get());
    checkLaunch("unit of a fixed point");
}

void lineBackFixed(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> p,
                   DeviceSpan<const FixedScale> scale, DeviceSpan<FixedSum> sums) {
    backFixedKernel<<<blocksFor(part.data, kThreads), kThreads, 0, stream>>>(part, p.get(), scale.get(),
                                                                             sums.get());
    checkLaunch("fixed-point ring back projection", {part.data});
}

void lineFinishFixed(cudaStream_t stream, const LinePart& part, const std::array<int, 3>& size,
                     DeviceSpan<const FixedScale> scale, DeviceSpan<FixedSum> sums, Write write,
                     DeviceSpan<float> image) {
    const dim3 dims = dimensions(size);
    finishFixedKernel<<<blocksFor(voxelsOf(dims), kThreads), kThreads, 0, stream>>>(
        part, dims, scale.get(), sums.get(), write, image.get());
    checkLaunch("end of fixed-point back projection", {voxelsOf(dims)});
}

}  // namespace tof::device
