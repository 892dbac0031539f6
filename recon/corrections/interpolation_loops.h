// SPDX-License-Identifier: Apache-2.0
// Inner loops that interpolate between samples, for all instruction sets; places are in samples.
#pragma once

#include <array>
#include <cstddef>

namespace tof {

/// to[k] += factor * from[k].
void addScaled(const float* from, float factor, float* to, std::size_t count);

/// out[k] += what a table has at (part, at + k step): rows `low` and `high` of `heights` values in shares 1 -
/// part and part, linear between them; beyond the ends it has the end's values.
void addBetweenRows(const float* low, const float* high, float part, std::size_t heights, double at,
                    double step, float* out, std::size_t count);

/// A grid of samples, the last axis fastest.
struct SampleGrid {
    const float* values;
    std::array<std::size_t, 3> counts;  ///< 2 at least
};

/// out[k] += factors[k] * (what the grid has at the place `at` + k `step`), linear along each axis; beyond
/// the ends it has the end's values. Places are right to 1e-4 of a sample.
void addBetweenPoints(const SampleGrid& grid, const std::array<double, 3>& at,
                      const std::array<double, 3>& step, const float* factors, float* out, std::size_t count);

}  // namespace tof
