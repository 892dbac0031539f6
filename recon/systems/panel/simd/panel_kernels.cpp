// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set (TOF_ISA, TOF_VECTOR_BYTES). Everything without external linkage except
// the two functions: see recon/systems/histo/simd/column_kernels.cpp.
#include "recon/systems/panel/simd/panel_kernels.h"

#if !defined(TOF_ISA)  // checked by itself, outside the build
#define TOF_ISA baseline
#define TOF_VECTOR_BYTES 16
#endif

namespace tof::TOF_ISA {

namespace {

constexpr int kWidth = TOF_VECTOR_BYTES / 4;
constexpr int kMostVectors = 4;
constexpr int kRowGroup = TOF_VECTOR_BYTES == 64 ? 4 : 2;  // sums must fit the registers

using Vector = float __attribute__((vector_size(TOF_VECTOR_BYTES)));
using Loose = float __attribute__((vector_size(TOF_VECTOR_BYTES), aligned(4), may_alias));

#define TOF_INLINE inline __attribute__((always_inline))

TOF_INLINE Vector load(const float* p) {
    return *reinterpret_cast<const Loose*>(p);
}
TOF_INLINE void store(float* p, Vector v) {
    *reinterpret_cast<Loose*>(p) = v;
}

/// Rows rows of Vectors vectors, the last cut off at `length`.
template <int Rows, int Vectors>
void forwardTile(const PanelRun& run, const float* image, float* data, int length) {
    Vector sums[Rows][Vectors] = {};
    for (int e = 0; e < run.entries; ++e) {
        const float* const source = image + run.offsets[e];
        const float weight = run.weights[e];
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
            for (int v = 0; v < Vectors; ++v) {
                sums[r][v] += weight * load(source + r * run.rowStride + v * kWidth);
            }
        }
    }
    for (int r = 0; r < Rows; ++r) {
        float* const row = data + r * run.dataStride;
        for (int v = 0; v < Vectors; ++v) {
            for (int i = 0; i < kWidth && v * kWidth + i < length; ++i) {
                row[v * kWidth + i] = sums[r][v][i];
            }
        }
    }
}

template <int Rows>
void forwardRows(const PanelRun& run, const float* image, float* data) {
    constexpr int kTile = kMostVectors * kWidth;
    for (int begin = 0; begin < run.length; begin += kTile) {
        const int length = run.length - begin;
        const float* const from = image + begin;
        float* const to = data + begin;
        if (length > 3 * kWidth) {
            forwardTile<Rows, 4>(run, from, to, length);
        } else if (length > 2 * kWidth) {
            forwardTile<Rows, 3>(run, from, to, length);
        } else if (length > kWidth) {
            forwardTile<Rows, 2>(run, from, to, length);
        } else {
            forwardTile<Rows, 1>(run, from, to, length);
        }
    }
}

}  // namespace

void panelForward(const PanelRun& run, const float* image, float* data) {
    int row = 0;
    for (; row + kRowGroup <= run.rows; row += kRowGroup) {
        forwardRows<kRowGroup>(run, image + row * run.rowStride, data + row * run.dataStride);
    }
    for (; row < run.rows; ++row) {
        forwardRows<1>(run, image + row * run.rowStride, data + row * run.dataStride);
    }
}

void panelBack(const PanelRun& run, const float* data, float* image) {
    for (int e = 0; e < run.entries; ++e) {
        const float weight = run.weights[e];
        for (int row = 0; row < run.rows; ++row) {
            const float* const from = data + row * run.dataStride;
            float* const to = image + run.offsets[e] + row * run.rowStride;
            for (int i = 0; i < run.length; i += kWidth) {
                store(to + i, load(to + i) + weight * load(from + i));
            }
        }
    }
}

}  // namespace tof::TOF_ISA
