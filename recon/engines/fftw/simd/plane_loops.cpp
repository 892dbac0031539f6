// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set (TOF_ISA); nothing but these functions has external linkage.
#include "recon/engines/fftw/simd/plane_loops.h"

#if !defined(TOF_ISA)  // checked by itself, outside the build
#define TOF_ISA baseline
#endif

namespace tof::TOF_ISA {

void weighPairs(const float* __restrict factor, const float* __restrict pairs, std::size_t n,
                float* __restrict out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[2 * i] = factor[i] * pairs[2 * i];
        out[2 * i + 1] = factor[i] * pairs[2 * i + 1];
    }
}

void addWeighedPairs(const float* __restrict factor, const float* __restrict pairs, std::size_t n,
                     float* __restrict out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[2 * i] += factor[i] * pairs[2 * i];
        out[2 * i + 1] += factor[i] * pairs[2 * i + 1];
    }
}

void turnPairs(const float* __restrict factor, const float* __restrict pairs, std::size_t n,
               float* __restrict out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[2 * i] = -factor[i] * pairs[2 * i + 1];
        out[2 * i + 1] = factor[i] * pairs[2 * i];
    }
}

void addTurnedPairs(const float* __restrict factor, const float* __restrict pairs, std::size_t n,
                    float* __restrict out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[2 * i] -= factor[i] * pairs[2 * i + 1];
        out[2 * i + 1] += factor[i] * pairs[2 * i];
    }
}

void turnPairsBack(const float* __restrict factor, const float* __restrict pairs, std::size_t n,
                   float* __restrict out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[2 * i] = factor[i] * pairs[2 * i + 1];
        out[2 * i + 1] = -factor[i] * pairs[2 * i];
    }
}

}  // namespace tof::TOF_ISA
