// SPDX-License-Identifier: Apache-2.0
// One thread per element, or per few.
#include "gpu/cufft/cufft_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"
#include "recon/seam/image_filter.h"

namespace tof::device {

namespace in_cufft_kernels {

constexpr int kThreads = 256;
constexpr int kPerThread = 4;

__global__ void padKernel(const float* from, GridPair s, float* to) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const int line = static_cast<int>(blockIdx.x);
    const int y = line % s.grid[1];
    const int z = line / s.grid[1];
    const bool inside = y < s.size[1] && z < s.size[2];
    const float* const in = from + (static_cast<std::size_t>(z) * static_cast<std::size_t>(s.size[1]) +
                                    static_cast<std::size_t>(y)) *
                                       static_cast<std::size_t>(s.size[0]);
    float* const out = to + static_cast<std::size_t>(line) * static_cast<std::size_t>(s.grid[0]);
    for (int x = static_cast<int>(threadIdx.x); x < s.grid[0]; x += static_cast<int>(blockDim.x)) {
        out[x] = inside && x < s.size[0] ? in[x] : 0.0F;
    }
}

__global__ void cropKernel(const float* from, const float* factors, GridPair s, float* to, Write write) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const int line = static_cast<int>(blockIdx.x);
    const int y = line % s.size[1];
    const int z = line / s.size[1];
    const float* const in = from + (static_cast<std::size_t>(z) * static_cast<std::size_t>(s.grid[1]) +
                                    static_cast<std::size_t>(y)) *
                                       static_cast<std::size_t>(s.grid[0]);
    const std::size_t row = static_cast<std::size_t>(line) * static_cast<std::size_t>(s.size[0]);
    for (int x = static_cast<int>(threadIdx.x); x < s.size[0]; x += static_cast<int>(blockDim.x)) {
        const float value = factors == nullptr ? in[x] : factors[row + x] * in[x];
        to[row + x] = write == Write::Add ? to[row + x] + value : value;
    }
}

__global__ void filterKernel(const float* spectrum, float2* pairs, std::size_t n) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const std::size_t begin = static_cast<std::size_t>(blockIdx.x) * (kThreads * kPerThread) + threadIdx.x;
    float2 pair[kPerThread];
    float factor[kPerThread];
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
        const std::size_t i = begin + static_cast<std::size_t>(k) * kThreads;
        if (i < n) {
            pair[k] = pairs[i];
            factor[k] = __ldg(spectrum + i);
        }
    }
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
        const std::size_t i = begin + static_cast<std::size_t>(k) * kThreads;
        if (i < n) {
            pairs[i] = {pair[k].x * factor[k], pair[k].y * factor[k]};
        }
    }
}

__global__ void padWeighedKernel(const float* from, const float* shares, const std::int32_t* ids, GridPair s,
                                 float* to) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const int line = static_cast<int>(blockIdx.x);
    const int y = line % s.grid[1];
    const int z = line / s.grid[1];
    const bool inside = y < s.size[1] && z < s.size[2];
    const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(s.size[0]);
    const std::size_t in = static_cast<std::size_t>(z) * static_cast<std::size_t>(s.size[1]) *
                               static_cast<std::size_t>(s.size[0]) +
                           row;
    float* const out = to + static_cast<std::size_t>(line) * static_cast<std::size_t>(s.grid[0]);
    for (int x = static_cast<int>(threadIdx.x); x < s.grid[0]; x += static_cast<int>(blockDim.x)) {
        out[x] = inside && x < s.size[0] ? __ldg(shares + __ldg(ids + row + x)) * from[in + x] : 0.0F;
    }
}

__device__ float2 filtered(float2 pair, float factor, bool imaginary) {
    return imaginary ? float2{-factor * pair.y, factor * pair.x} : float2{factor * pair.x, factor * pair.y};
}

__global__ void addFilteredKernel(const float* spectrum, bool imaginary, const float2* pairs, bool overwrite,
                                  float2* sum, std::size_t n) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const std::size_t begin = static_cast<std::size_t>(blockIdx.x) * (kThreads * kPerThread) + threadIdx.x;
    float2 pair[kPerThread];
    float2 before[kPerThread];
    float factor[kPerThread];
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
        const std::size_t i = begin + static_cast<std::size_t>(k) * kThreads;
        if (i < n) {
            pair[k] = pairs[i];
            factor[k] = __ldg(spectrum + i);
            before[k] = overwrite ? float2{0.0F, 0.0F} : sum[i];
        }
    }
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
        const std::size_t i = begin + static_cast<std::size_t>(k) * kThreads;
        if (i < n) {
            const float2 term = filtered(pair[k], factor[k], imaginary);
            sum[i] = {before[k].x + term.x, before[k].y + term.y};
        }
    }
}

__global__ void filterConjugateKernel(const float* spectrum, bool imaginary, const float2* pairs, float2* out,
                                      std::size_t n) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const std::size_t begin = static_cast<std::size_t>(blockIdx.x) * (kThreads * kPerThread) + threadIdx.x;
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
        const std::size_t i = begin + static_cast<std::size_t>(k) * kThreads;
        if (i < n) {
            const float factor = __ldg(spectrum + i);
            out[i] = filtered(pairs[i], imaginary ? -factor : factor, imaginary);
        }
    }
}

__global__ void cropWeighedKernel(const float* from, const float* shares, const std::int32_t* ids, GridPair s,
                                  TermPlace place, float* sum, const float* factors, float* to, Write write) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const int line = static_cast<int>(blockIdx.x);
    const int y = line % s.size[1];
    const int z = line / s.size[1];
    const float* const in = from + (static_cast<std::size_t>(z) * static_cast<std::size_t>(s.grid[1]) +
                                    static_cast<std::size_t>(y)) *
                                       static_cast<std::size_t>(s.grid[0]);
    const std::size_t column = static_cast<std::size_t>(y) * static_cast<std::size_t>(s.size[0]);
    const std::size_t row = static_cast<std::size_t>(line) * static_cast<std::size_t>(s.size[0]);
    for (int x = static_cast<int>(threadIdx.x); x < s.size[0]; x += static_cast<int>(blockDim.x)) {
        const float term = __ldg(shares + __ldg(ids + column + x)) * in[x];
        const float value = place.first ? term : sum[row + x] + term;
        if (!place.last) {
            sum[row + x] = value;
            continue;
        }
        const float result = factors == nullptr ? value : factors[row + x] * value;
        to[row + x] = write == Write::Add ? to[row + x] + result : result;
    }
}

__global__ void placeKernel(const std::uint32_t* at, const float* value, float* real, std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i < n) {
        real[at[i]] = value[i];
    }
}

__global__ void invertKernel(const float2* pairs, InverseShape s, float* factors, std::size_t n) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i < n) {
        const auto half = static_cast<std::size_t>(s.grid[0] / 2 + 1);
        const int line = static_cast<int>(i / half);
        const int k[3] = {static_cast<int>(i % half), line % s.grid[1], line / s.grid[1]};
        const float all = hypotf(pairs[0].x, pairs[0].y);
        float factor = s.scale * inverseFactor(hypotf(pairs[i].x, pairs[i].y) / all, s.steps) / all;
        for (int d = 0; d < 3; ++d) {
            factor *= gaussianShare(k[d], s.grid[d], s.sigma[d]);
        }
        factors[i] = factor;
    }
}

__global__ void takePartKernel(const float2* pairs, bool imaginary, float scale, float* spectrum,
                               std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i < n) {
        spectrum[i] = scale * (imaginary ? pairs[i].y : pairs[i].x);
    }
}

}  // namespace in_cufft_kernels
using namespace in_cufft_kernels;

void padToGrid(Launch l, DeviceSpan<const float> from, const GridPair& s, DeviceSpan<float> to) {
    check(launchDependent(l.overlap, padKernel, dim3(static_cast<unsigned>(s.grid[1] * s.grid[2])), dim3(128),
                          0, l.stream, from.get(), s, to.get()),
          "pad a volume");
}

void cropFromGrid(Launch l, DeviceSpan<const float> from, DeviceSpan<const float> factors, const GridPair& s,
                  DeviceSpan<float> to, Write write) {
    check(launchDependent(l.overlap, cropKernel, dim3(static_cast<unsigned>(s.size[1] * s.size[2])),
                          dim3(128), 0, l.stream, from.get(), factors.get(), s, to.get(), write),
          "crop a volume");
}

void filterPairs(Launch l, DeviceSpan<const float> spectrum, DeviceSpan<float2> pairs) {
    const std::size_t n = pairs.size();
    const dim3 grid(blocksFor(n, kThreads * kPerThread));
    check(launchDependent(l.overlap, filterKernel, grid, dim3(kThreads), 0, l.stream, spectrum.get(),
                          pairs.get(), n),
          "filter a spectrum", {n});
}

void invertPairs(Launch l, DeviceSpan<const float2> pairs, const InverseShape& shape,
                 DeviceSpan<float> factors) {
    const std::size_t n = pairs.size();
    check(launchDependent(l.overlap, invertKernel, dim3(blocksFor(n, kThreads)), dim3(kThreads), 0, l.stream,
                          pairs.get(), shape, factors.get(), n),
          "invert a spectrum", {n});
}

void padWeighed(Launch l, DeviceSpan<const float> from, const ColumnShares& shares, const GridPair& s,
                DeviceSpan<float> to) {
    check(launchDependent(l.overlap, padWeighedKernel, dim3(static_cast<unsigned>(s.grid[1] * s.grid[2])),
                          dim3(128), 0, l.stream, from.get(), shares.shares.get(), shares.ids.get(), s,
                          to.get()),
          "weigh and pad a volume");
}

void addFiltered(Launch l, DeviceSpan<const float> spectrum, Spectrum kind, DeviceSpan<const float2> pairs,
                 Write write, DeviceSpan<float2> sum) {
    const std::size_t n = pairs.size();
    const dim3 grid(blocksFor(n, kThreads * kPerThread));
    check(launchDependent(l.overlap, addFilteredKernel, grid, dim3(kThreads), 0, l.stream, spectrum.get(),
                          kind == Spectrum::Imaginary, pairs.get(), write == Write::Overwrite, sum.get(), n),
          "add a filtered spectrum", {n});
}

void filterConjugate(Launch l, DeviceSpan<const float> spectrum, Spectrum kind,
                     DeviceSpan<const float2> pairs, DeviceSpan<float2> out) {
    const std::size_t n = pairs.size();
    const dim3 grid(blocksFor(n, kThreads * kPerThread));
    check(launchDependent(l.overlap, filterConjugateKernel, grid, dim3(kThreads), 0, l.stream, spectrum.get(),
                          kind == Spectrum::Imaginary, pairs.get(), out.get(), n),
          "filter a spectrum", {n});
}

void cropWeighed(Launch l, DeviceSpan<const float> from, const ColumnShares& shares, const GridPair& s,
                 TermPlace place, DeviceSpan<float> sum, DeviceSpan<const float> factors,
                 DeviceSpan<float> to, Write write) {
    check(launchDependent(l.overlap, cropWeighedKernel, dim3(static_cast<unsigned>(s.size[1] * s.size[2])),
                          dim3(128), 0, l.stream, from.get(), shares.shares.get(), shares.ids.get(), s, place,
                          sum.get(), factors.get(), to.get(), write),
          "weigh and crop a volume");
}

void placeValues(cudaStream_t stream, DeviceSpan<const std::uint32_t> at, DeviceSpan<const float> value,
                 DeviceSpan<float> real) {
    const std::size_t n = at.size();
    placeKernel<<<blocksFor(n, kThreads), kThreads, 0, stream>>>(at.get(), value.get(), real.get(), n);
    checkLaunch("place a kernel", {n});
}

void takePart(cudaStream_t stream, DeviceSpan<const float2> pairs, Spectrum kind, float scale,
              DeviceSpan<float> spectrum) {
    const std::size_t n = pairs.size();
    takePartKernel<<<blocksFor(n, kThreads), kThreads, 0, stream>>>(pairs.get(), kind == Spectrum::Imaginary,
                                                                    scale, spectrum.get(), n);
    checkLaunch("take a part of a spectrum", {n});
}

}  // namespace tof::device
