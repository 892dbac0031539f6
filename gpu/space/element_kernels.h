// SPDX-License-Identifier: Apache-2.0
// Element-wise work and reductions on the device. Launchers return without waiting; pointers are device
// memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace tof::device {

/// Blocks of a reduction: fixed, so that sums are the same bits every time, on every card.
inline constexpr unsigned kReductionBlocks = 512;

/// Where reductions leave partial results and their total. All device memory.
struct ReductionArea {
    double* partial = nullptr;   ///< kReductionBlocks
    double* total = nullptr;     ///< one
    unsigned* ticket = nullptr;  ///< one, zero between uses
};

struct Launch {
    cudaStream_t stream = nullptr;
    bool overlap = false;  ///< dependent launches may overlap (compute capability 9.0 and newer)
};

void fill(Launch launch, float* x, std::size_t n, float value);
/// x = value where s >= floor and s > 0, else 0.
void fillSeen(Launch launch, const float* s, float floor, float value, float* x, std::size_t n);
void multiply(Launch launch, const float* a, const float* b, float* out, std::size_t n);
/// out += factor * a
void addScaled(Launch launch, const float* a, float factor, float* out, std::size_t n);
void sum(Launch launch, const float* x, std::size_t n, ReductionArea area);
void maximum(Launch launch, const float* x, std::size_t n, ReductionArea area);
/// p = mult p + add and the sum of it. Null mult means 1, null add means 0.
void expected(Launch launch, const float* mult, const float* add, float* p, std::size_t n,
              ReductionArea area);
/// p = mult (y/p - offset) with y/p = 0 where mult = 0 or p <= 1e-9 total/n.
void ratio(Launch launch, const float* y, const float* mult, float offset, float* p, std::size_t n,
           const double* total);
void ramlaUpdate(Launch launch, const float* c, const float* s, float blocks, float floor,
                 const float* lambda, float* x, std::size_t n);
void emUpdate(Launch launch, const float* c, const float* s, float floor, float* x, std::size_t n);

}  // namespace tof::device
