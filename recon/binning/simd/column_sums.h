// SPDX-License-Identifier: Apache-2.0
// The inner loops of the factors of histo-images, compiled once per instruction set. Plain structs and
// pointers only: recon/systems/histo/simd/column_kernels.cpp says why.
#pragma once

#include <cstddef>

namespace tof {

/// A column of evenly spaced values that is taken between its samples.
struct ShiftedColumn {
    const float* values;
    float lower;  ///< weight of values[i]
    float upper;  ///< weight of values[i + 1]
};

/// addColumns: out[i] += sum over the columns of lower values[i] + upper values[i + 1], i < length.
/// blendColumns: out[i] = (low[i] + weight (high[i] - low[i])) factors[i].
#define TOF_DECLARE_COLUMN_SUMS(isa)                                                                  \
    namespace isa {                                                                                   \
    void addColumns(const ShiftedColumn* columns, std::size_t count, std::size_t length, float* out); \
    void blendColumns(const float* low, const float* high, float weight, const float* factors,        \
                      std::size_t length, float* out);                                                \
    }
TOF_DECLARE_COLUMN_SUMS(baseline)
TOF_DECLARE_COLUMN_SUMS(avx2)
TOF_DECLARE_COLUMN_SUMS(avx512)
#undef TOF_DECLARE_COLUMN_SUMS

}  // namespace tof
