// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "gpu/space/cuda_check.h"
#include "tests/bench/device_time.h"
#include "tests/bench/gpu_ceilings.h"

namespace tof {

namespace {

constexpr int kLoops = 4096;
constexpr int kChains = 16;

__global__ void fmaKernel(float* out, float a, float b) {
    float x[kChains];
    for (int i = 0; i < kChains; ++i) {
        x[i] = a + static_cast<float>(threadIdx.x + i);
    }
    for (int l = 0; l < kLoops; ++l) {
#pragma unroll
        for (int i = 0; i < kChains; ++i) {
            x[i] = fmaf(x[i], a, b);
        }
    }
    float sum = 0;
    for (int i = 0; i < kChains; ++i) {
        sum += x[i];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void tensorKernel(float* out, std::uint32_t seed) {
    float c[8][4] = {};
    std::uint32_t a[4];
    for (int i = 0; i < 4; ++i) {
        a[i] = 0x3F803F80U + ((seed + threadIdx.x * 7 + i) & 0x000F000FU);
    }
    for (int l = 0; l < kLoops; ++l) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                "{%0,%1,%2,%3};"
                : "+f"(c[i][0]), "+f"(c[i][1]), "+f"(c[i][2]), "+f"(c[i][3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[1]), "r"(a[2]));
#endif
        }
    }
    float sum = 0;
    for (auto& tile : c) {
        for (const float v : tile) {
            sum += v;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Best of a few runs, seconds.
double timeOf(const std::function<void()>& work) {
    double best_ms = 1e30;
    for (int run = 0; run < 6; ++run) {
        best_ms = std::min(best_ms, deviceMilliseconds(nullptr, work));
    }
    return 1e-3 * best_ms;
}

}  // namespace

GpuCeilings measureGpuCeilings() {
    cudaDeviceProp card{};
    check(cudaGetDeviceProperties(&card, 0), "read the device's properties");
    const auto blocks = static_cast<unsigned>(card.multiProcessorCount * 4);
    constexpr unsigned kThreads = 256;
    constexpr std::size_t kBytes = std::size_t{1} << 30U;
    char* from = nullptr;
    char* to = nullptr;
    void* host = nullptr;
    check(cudaMalloc(&from, kBytes), "allocate", {kBytes});
    check(cudaMalloc(&to, kBytes), "allocate", {kBytes});
    check(cudaMallocHost(&host, kBytes / 4), "allocate page-locked memory", {kBytes / 4});
    check(cudaMemset(from, 1, kBytes), "fill");
    auto* const out = reinterpret_cast<float*>(to);
    GpuCeilings result;
    const double threads = static_cast<double>(blocks) * kThreads;
    result.fmaPerSecond =
        threads * kLoops * kChains / timeOf([&] { fmaKernel<<<blocks, kThreads>>>(out, 1.0001F, 0.5F); });
    result.tensorMacsPerSecond =
        threads / 32 * kLoops * 8 * 2048 / timeOf([&] { tensorKernel<<<blocks, kThreads>>>(out, 3); });
    result.copyBytesPerSecond =
        2.0 * kBytes /
        timeOf([&] { check(cudaMemcpyAsync(to, from, kBytes, cudaMemcpyDeviceToDevice), "copy"); });
    result.linkBytesPerSecond =
        0.25 * kBytes /
        timeOf([&] { check(cudaMemcpyAsync(to, host, kBytes / 4, cudaMemcpyHostToDevice), "copy"); });
    check(cudaGetLastError(), "measure the ceilings");
    check(cudaFree(from), "free");
    check(cudaFree(to), "free");
    check(cudaFreeHost(host), "free");
    return result;
}

}  // namespace tof
