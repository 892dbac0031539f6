// SPDX-License-Identifier: Apache-2.0
// Products over planes of complex numbers (pairs of floats), compiled once per instruction set. Plain
// pointers only: see recon/systems/histo/simd/column_kernels.cpp for why.
#pragma once

#include <cstddef>

namespace tof {

#define TOF_PLANE_LOOPS                                                                       \
    /* out[i] = factor[i] pair[i], n pairs */                                                 \
    void weighPairs(const float* factor, const float* pairs, std::size_t n, float* out);      \
    /* out[i] += factor[i] pair[i] */                                                         \
    void addWeighedPairs(const float* factor, const float* pairs, std::size_t n, float* out); \
    /* out[i] = factor[i] i pair[i] */                                                        \
    void turnPairs(const float* factor, const float* pairs, std::size_t n, float* out);       \
    /* out[i] += factor[i] i pair[i] */                                                       \
    void addTurnedPairs(const float* factor, const float* pairs, std::size_t n, float* out);  \
    /* out[i] = -factor[i] i pair[i] */                                                       \
    void turnPairsBack(const float* factor, const float* pairs, std::size_t n, float* out);

namespace baseline {
TOF_PLANE_LOOPS
}
namespace avx2 {
TOF_PLANE_LOOPS
}
namespace avx512 {
TOF_PLANE_LOOPS
}

}  // namespace tof
