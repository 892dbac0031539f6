// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set (TOF_ISA). Nothing with external linkage but the one function: an inline
// function shared with other files could be linked in this file's version and fault on lesser processors.
#include "recon/bench/simd/fma_peak.h"

#if !defined(TOF_ISA)  // checked by itself, outside the build
#define TOF_ISA baseline
#define TOF_VECTOR_BYTES 16
#endif

namespace tof::TOF_ISA {

namespace {

constexpr int kLanes = TOF_VECTOR_BYTES / 4;
constexpr int kChains = 12;  // latency 4 or 5, two per cycle: ten independent sums keep the units busy
using Vector = float __attribute__((vector_size(TOF_VECTOR_BYTES)));

}  // namespace

double multiplyAddLoop(long repetitions, float* sink) {
    Vector sums[kChains] = {};
    Vector factor = {};
    Vector term = {};
    // Values a compiler cannot know, and that stay finite.
    factor += *sink * 0.0F + 0.5F;
    term += *sink * 0.0F + 1.0F;
    for (int c = 0; c < kChains; ++c) {  // different starts, or all chains would be one
        sums[c] += *sink + static_cast<float>(c);
    }
    for (long i = 0; i < repetitions; ++i) {
#pragma GCC unroll 12
        for (int c = 0; c < kChains; ++c) {
            sums[c] = sums[c] * factor + term;
        }
    }
    Vector total = {};
    for (int c = 0; c < kChains; ++c) {
        total += sums[c];
    }
    for (int lane = 0; lane < kLanes; ++lane) {
        *sink += total[lane];
    }
    return static_cast<double>(repetitions) * kChains * kLanes;
}

}  // namespace tof::TOF_ISA
