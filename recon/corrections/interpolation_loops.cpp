// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/interpolation_loops.h"

#include "recon/base/target_clones.h"

namespace tof {

namespace {

/// Whole numbers and floats that vectors can be made of.
struct Axis {
    float at;
    float step;
    float last;  ///< sample
    int below;   ///< the last that has a next one
    int stride;
};

Axis axisOf(double at, double step, std::size_t count, std::size_t stride) {
    return {static_cast<float>(at), static_cast<float>(step), static_cast<float>(count - 1),
            static_cast<int>(count) - 2, static_cast<int>(stride)};
}

TOF_CLONES void addOfRows(const float* __restrict low, const float* __restrict high, float part, Axis z,
                          float* __restrict out, int count) {
    for (int k = 0; k < count; ++k) {
        float place = z.at + static_cast<float>(k) * z.step;
        place = place > 0 ? place : 0;
        place = place < z.last ? place : z.last;
        int i = static_cast<int>(place);
        i = i < z.below ? i : z.below;
        const float w = place - static_cast<float>(i);
        const float a = (1 - w) * low[i] + w * low[i + 1];
        const float b = (1 - w) * high[i] + w * high[i + 1];
        out[k] += (1 - part) * a + part * b;
    }
}

TOF_CLONES void addOfPoints(const float* __restrict values, Axis x, Axis y, Axis z,
                            const float* __restrict factors, float* __restrict out, int count) {
    for (int k = 0; k < count; ++k) {
        const auto n = static_cast<float>(k);
        float px = x.at + n * x.step;
        float py = y.at + n * y.step;
        float pz = z.at + n * z.step;
        px = px > 0 ? px : 0;
        py = py > 0 ? py : 0;
        pz = pz > 0 ? pz : 0;
        px = px < x.last ? px : x.last;
        py = py < y.last ? py : y.last;
        pz = pz < z.last ? pz : z.last;
        int ix = static_cast<int>(px);
        int iy = static_cast<int>(py);
        int iz = static_cast<int>(pz);
        ix = ix < x.below ? ix : x.below;
        iy = iy < y.below ? iy : y.below;
        iz = iz < z.below ? iz : z.below;
        const float wx = px - static_cast<float>(ix);
        const float wy = py - static_cast<float>(iy);
        const float wz = pz - static_cast<float>(iz);
        const int i = ix * x.stride + iy * y.stride + iz;
        const int j = i + x.stride;
        const float one = (1 - wz) * values[i] + wz * values[i + 1];
        const float two = (1 - wz) * values[i + y.stride] + wz * values[i + y.stride + 1];
        const float three = (1 - wz) * values[j] + wz * values[j + 1];
        const float four = (1 - wz) * values[j + y.stride] + wz * values[j + y.stride + 1];
        out[k] += factors[k] * ((1 - wx) * ((1 - wy) * one + wy * two) + wx * ((1 - wy) * three + wy * four));
    }
}

}  // namespace

TOF_CLONES void addScaled(const float* __restrict from, float factor, float* __restrict to,
                          std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
        to[k] += factor * from[k];
    }
}

void addBetweenRows(const float* low, const float* high, float part, std::size_t heights, double at,
                    double step, float* out, std::size_t count) {
    addOfRows(low, high, part, axisOf(at, step, heights, 1), out, static_cast<int>(count));
}

void addBetweenPoints(const SampleGrid& grid, const std::array<double, 3>& at,
                      const std::array<double, 3>& step, const float* factors, float* out,
                      std::size_t count) {
    addOfPoints(grid.values, axisOf(at[0], step[0], grid.counts[0], grid.counts[1] * grid.counts[2]),
                axisOf(at[1], step[1], grid.counts[1], grid.counts[2]),
                axisOf(at[2], step[2], grid.counts[2], 1), factors, out, static_cast<int>(count));
}

}  // namespace tof
