// SPDX-License-Identifier: Apache-2.0
// Weighted least squares with two unknowns.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tof {

/// Sums of weight x a x b over [first, weights.size()).
[[nodiscard]] inline double weightedProduct(const std::vector<double>& weights, const double* a,
                                            const double* b, std::size_t first = 0) {
    double sum = 0;
    for (std::size_t i = first; i < weights.size(); ++i) {
        sum += weights[i] * a[i] * b[i];
    }
    return sum;
}

/// Solves [aa ab; ab bb] (p, q) = (ay, by); false where the two columns say the same to 1e-10.
[[nodiscard]] inline bool solvePair(double aa, double ab, double bb, double ay, double by,
                                    std::array<double, 2>& solution) {
    const double determinant = aa * bb - ab * ab;
    if (!(determinant > 1e-10 * aa * bb)) {
        return false;
    }
    solution = {(bb * ay - ab * by) / determinant, (aa * by - ab * ay) / determinant};
    return std::isfinite(solution[0]) && std::isfinite(solution[1]);
}

}  // namespace tof
