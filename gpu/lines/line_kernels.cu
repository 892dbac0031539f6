// SPDX-License-Identifier: Apache-2.0
// One thread follows all rays of one datum; the path is the host's own function, in double. No shared memory.
#include "gpu/lines/line_kernels.h"

#include <algorithm>

#include "gpu/lines/line_device.cuh"
#include "gpu/space/cuda_check.h"

namespace tof::device {

namespace {

constexpr unsigned kThreads = 128;

/// Calls visit(voxel, coefficient) for all rays of a datum; coefficients of several rays are not averaged.
template <typename Visit>
__device__ void followDatum(const LinePart& part, std::size_t datum, const Visit& visit) {
    if (part.points != nullptr) {
        const uint2 pair = part.pairs[datum];
        followLine(part.op, part.points[pair.x], part.points[pair.y],
                   part.eventTimeBins == nullptr ? 0 : part.eventTimeBins[datum], visit);
        return;
    }
    forEachRayOf(part, datum,
                 [&](Vec3 one, Vec3 two, int timeBin) { followLine(part.op, one, two, timeBin, visit); });
}

__global__ void __launch_bounds__(kThreads) forwardKernel(LinePart part, const float* image, float* p) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    double sum = 0;
    followDatum(part, i, [&](int voxel, float length) { sum += static_cast<double>(length * image[voxel]); });
    p[i] = rayShare(part) * static_cast<float>(sum);
}

template <bool atomic>
__global__ void __launch_bounds__(kThreads) backKernel(LinePart part, const float* p, float* image) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= part.data || p[i] == 0.0F) {
        return;
    }
    const float value = rayShare(part) * p[i];
    followDatum(part, i, [&](int voxel, float length) {
        if constexpr (atomic) {
            atomicAdd(image + voxel, length * value);
        } else {
            image[voxel] += length * value;
        }
    });
}

__global__ void largestKernel(const float* p, std::size_t n, unsigned* largest) {
    unsigned mine = 0;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        const unsigned bits = __float_as_uint(fabsf(p[i]));  // grows with the value
        mine = bits > mine ? bits : mine;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const unsigned other = __shfl_down_sync(0xFFFFFFFFU, mine, offset);
        mine = other > mine ? other : mine;
    }
    if (threadIdx.x % 32 == 0 && mine > 0) {
        atomicMax(largest, mine);
    }
}

__global__ void scaleKernel(LinePart part, FixedScale* scale) {
    constexpr int kFixedBits = 62;
    double way = 0;
    for (int k = 0; k < 3; ++k) {
        way += part.op.grid.spacing[k];
    }
    const double bound = static_cast<double>(__uint_as_float(scale->largest)) * way *
                         static_cast<double>(part.data) * part.radialRays * part.axialRays;
    scale->exponent = bound > 0 ? kFixedBits - 1 - ilogb(bound) : 0;
}

__global__ void __launch_bounds__(kThreads)
    backFixedKernel(LinePart part, const float* p, const FixedScale* scale, unsigned long long* sums) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const std::size_t datum = part.points != nullptr ? i : datumOf<Lanes::Sinograms>(part, i);
    if (p[datum] == 0.0F) {
        return;
    }
    const double value = ldexp(static_cast<double>(p[datum]), scale->exponent);
    followDatum(part, datum, [&](int voxel, float length) {
        atomicAdd(sums + voxel,
                  static_cast<unsigned long long>(__double2ll_rn(static_cast<double>(length) * value)));
    });
}

__global__ void finishFixedKernel(LinePart part, int nx, int ny, int nz, const FixedScale* scale,
                                  unsigned long long* sums, bool add, float* image) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= static_cast<std::size_t>(nx) * ny * nz) {
        return;
    }
    const int x = static_cast<int>(i % nx);
    const int y = static_cast<int>(i / nx % ny);
    const int z = static_cast<int>(i / nx / ny);
    const RayGrid& grid = part.op.grid;
    const int at = x * grid.stride[0] + y * grid.stride[1] + z * grid.stride[2];
    const auto sum = static_cast<double>(static_cast<long long>(sums[at]));
    sums[at] = 0;
    const double share = 1.0 / (part.radialRays * part.axialRays);
    const auto value = static_cast<float>(ldexp(sum, -scale->exponent) * share);
    image[i] = add ? image[i] + value : value;
}

__global__ void __launch_bounds__(kThreads)
    countRacyKernel(LinePart part, unsigned* counts, unsigned long long* updates) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    unsigned long long mine = 0;
    followDatum(part, i, [&](int voxel, float) {
        counts[voxel] += 1U;
        ++mine;
    });
    atomicAdd(updates, mine);
}

__global__ void blurAxisKernel(int nx, int ny, int nz, int axis, const float* weights, int count,
                               const float* in, float* out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= static_cast<std::size_t>(nx) * ny * nz) {
        return;
    }
    const std::size_t stride =
        axis == 0 ? 1 : (axis == 1 ? static_cast<std::size_t>(nx) : static_cast<std::size_t>(nx) * ny);
    const int size = axis == 0 ? nx : (axis == 1 ? ny : nz);
    const int at = static_cast<int>(i / stride % size);
    float sum = weights[0] * in[i];
    for (int k = 1; k < count; ++k) {
        const float before = at >= k ? in[i - k * stride] : 0.0F;
        const float after = at + k < size ? in[i + k * stride] : 0.0F;
        sum += weights[k] * (before + after);
    }
    out[i] = sum;
}

unsigned blocksFor(std::size_t n, unsigned threads) {
    return static_cast<unsigned>((n + threads - 1) / threads);
}

std::size_t product(const int size[3]) {
    return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
           static_cast<std::size_t>(size[2]);
}

}  // namespace

void ringForward(cudaStream_t stream, const LinePart& part, const float* image, float* p) {
    forwardKernel<<<blocksFor(part.data, kThreads), kThreads, 0, stream>>>(part, image, p);
    checkLaunch("ring forward projection", {part.data});
}

void ringBackRacy(cudaStream_t stream, const LinePart& part, const float* p, float* image) {
    backKernel<false><<<blocksFor(part.data, kThreads), kThreads, 0, stream>>>(part, p, image);
    checkLaunch("racy ring back projection", {part.data});
}

void ringBackAtomic(cudaStream_t stream, const LinePart& part, const float* p, float* image) {
    backKernel<true><<<blocksFor(part.data, kThreads), kThreads, 0, stream>>>(part, p, image);
    checkLaunch("atomic ring back projection", {part.data});
}

void ringLargest(cudaStream_t stream, const float* p, std::size_t n, unsigned* largest) {
    check(cudaMemsetAsync(largest, 0, sizeof(unsigned), stream), "clear a maximum");
    const unsigned blocks = std::min(blocksFor(n, kThreads), 4096U);
    largestKernel<<<blocks, kThreads, 0, stream>>>(p, n, largest);
    checkLaunch("largest datum", {n});
}

void ringScale(cudaStream_t stream, const LinePart& part, const float* p, FixedScale* scale) {
    ringLargest(stream, p, part.data, &scale->largest);
    scaleKernel<<<1, 1, 0, stream>>>(part, scale);
    checkLaunch("unit of a fixed point");
}

void ringBackFixed(cudaStream_t stream, const LinePart& part, const float* p, const FixedScale* scale,
                   unsigned long long* sums) {
    backFixedKernel<<<blocksFor(part.data, kThreads), kThreads, 0, stream>>>(part, p, scale, sums);
    checkLaunch("fixed-point ring back projection", {part.data});
}

void ringFinishFixed(cudaStream_t stream, const LinePart& part, const int size[3], const FixedScale* scale,
                     unsigned long long* sums, bool add, float* image) {
    finishFixedKernel<<<blocksFor(product(size), kThreads), kThreads, 0, stream>>>(
        part, size[0], size[1], size[2], scale, sums, add, image);
    checkLaunch("end of fixed-point back projection", {product(size)});
}

void ringCountRacy(cudaStream_t stream, const LinePart& part, unsigned* counts, unsigned long long* updates) {
    countRacyKernel<<<blocksFor(part.data, kThreads), kThreads, 0, stream>>>(part, counts, updates);
    checkLaunch("count of racy updates", {part.data});
}

void blurAxis(cudaStream_t stream, const int size[3], int axis, const float* weights, int count,
              const float* in, float* out) {
    blurAxisKernel<<<blocksFor(product(size), kThreads), kThreads, 0, stream>>>(
        size[0], size[1], size[2], axis, weights, count, in, out);
    checkLaunch("image blur", {product(size)});
}

}  // namespace tof::device
