// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set (TOF_ISA, TOF_VECTOR_BYTES). Everything without external linkage except
// the two functions: see recon/systems/histo/simd/column_kernels.cpp.
#include "recon/binning/simd/column_sums.h"

#if !defined(TOF_ISA)  // checked by itself, outside the build
#define TOF_ISA baseline
#define TOF_VECTOR_BYTES 16
#endif

namespace tof::TOF_ISA {

namespace {

/// Not templates of the number of bytes: of those the compiler forgets the attributes.
struct Wide {
    using Vector = float __attribute__((vector_size(TOF_VECTOR_BYTES)));
    using Loose = float __attribute__((vector_size(TOF_VECTOR_BYTES), aligned(4), may_alias));
    static constexpr std::size_t kWidth = TOF_VECTOR_BYTES / 4;
};
struct Narrow {
    using Vector = float __attribute__((vector_size(16)));
    using Loose = float __attribute__((vector_size(16), aligned(4), may_alias));
    static constexpr std::size_t kWidth = 4;
};

#define TOF_INLINE inline __attribute__((always_inline))

template <class Form>
TOF_INLINE typename Form::Vector load(const float* p) {
    return *reinterpret_cast<const typename Form::Loose*>(p);
}
template <class Form>
TOF_INLINE void store(float* p, typename Form::Vector v) {
    *reinterpret_cast<typename Form::Loose*>(p) = v;
}

constexpr std::size_t kAhead = 6;  ///< columns
constexpr std::size_t kLine = 16;  ///< floats that are fetched together

/// Vectors vectors of the sums, from `at` on; they stay in registers over all columns.
template <class Form, int Vectors>
TOF_INLINE void addTile(const ShiftedColumn* columns, std::size_t count, std::size_t at, float* out) {
    typename Form::Vector sums[Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
        sums[v] = load<Form>(out + at + static_cast<std::size_t>(v) * Form::kWidth);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const float* const values = columns[i].values + at;
        // Columns lie all over a table that no near cache holds, and are too short to be foreseen. The list
        // may end before.
        const float* const next = columns[i + kAhead < count ? i + kAhead : count - 1].values + at;
#pragma GCC unroll 4
        for (std::size_t line = 0; line * kLine <= Vectors * Form::kWidth; ++line) {
            __builtin_prefetch(next + line * kLine);
        }
        const float lower = columns[i].lower;
        const float upper = columns[i].upper;
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) {
            const float* const from = values + static_cast<std::size_t>(v) * Form::kWidth;
            sums[v] += lower * load<Form>(from) + upper * load<Form>(from + 1);
        }
    }
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
        store<Form>(out + at + static_cast<std::size_t>(v) * Form::kWidth, sums[v]);
    }
}

template <class Form>
TOF_INLINE void blend(const float* low, const float* high, float weight, const float* factors, float* out) {
    const typename Form::Vector below = load<Form>(low);
    store<Form>(out, (below + weight * (load<Form>(high) - below)) * load<Form>(factors));
}

}  // namespace

void addColumns(const ShiftedColumn* columns, std::size_t count, std::size_t length, float* out) {
    constexpr std::size_t kWidth = Wide::kWidth;
    std::size_t at = 0;
    for (; at + 6 * kWidth <= length; at += 6 * kWidth) {
        addTile<Wide, 6>(columns, count, at, out);
    }
    // Each pass over the columns waits for memory: one does what is left.
    switch ((length - at) / kWidth) {
        case 5: addTile<Wide, 5>(columns, count, at, out); break;
        case 4: addTile<Wide, 4>(columns, count, at, out); break;
        case 3: addTile<Wide, 3>(columns, count, at, out); break;
        case 2: addTile<Wide, 2>(columns, count, at, out); break;
        case 1: addTile<Wide, 1>(columns, count, at, out); break;
        default: break;
    }
    at += (length - at) / kWidth * kWidth;
    for (; at + 4 <= length; at += 4) {
        addTile<Narrow, 1>(columns, count, at, out);
    }
    for (; at < length; ++at) {
        for (std::size_t i = 0; i < count; ++i) {
            const float* const values = columns[i].values + at;
            out[at] += columns[i].lower * values[0] + columns[i].upper * values[1];
        }
    }
}

void blendColumns(const float* low, const float* high, float weight, const float* factors, std::size_t length,
                  float* out) {
    std::size_t at = 0;
    for (; at + Wide::kWidth <= length; at += Wide::kWidth) {
        blend<Wide>(low + at, high + at, weight, factors + at, out + at);
    }
    for (; at < length; ++at) {
        out[at] = (low[at] + weight * (high[at] - low[at])) * factors[at];
    }
}

}  // namespace tof::TOF_ISA
