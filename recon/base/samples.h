// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tof {

/// A value's lower neighbour among samples, and the weight of the upper one.
struct Between {
    std::size_t index;
    float weight;
};

/// Evenly spaced samples of a coordinate, mm.
struct Samples {
    std::size_t count = 2;
    double first = 0;
    double step = 1;

    /// Samples from -half to half, about `step` apart.
    [[nodiscard]] static Samples covering(double half, double step) {
        const auto count = std::max<std::size_t>(static_cast<std::size_t>(std::ceil(2 * half / step)) + 1, 2);
        return {count, -half, 2 * half / static_cast<double>(count - 1)};
    }
    /// These samples with every step cut into `parts`.
    [[nodiscard]] Samples split(std::size_t parts) const {
        return {(count - 1) * parts + 1, first, step / static_cast<double>(parts)};
    }
    [[nodiscard]] double at(std::size_t i) const { return first + static_cast<double>(i) * step; }
    /// Where a value lies; beyond the ends it takes the end's value.
    [[nodiscard]] Between locate(double value) const {
        const double at = std::clamp((value - first) / step, 0.0, static_cast<double>(count - 1));
        const auto index = std::min(static_cast<std::size_t>(at), count - 2);
        return {index, static_cast<float>(at - static_cast<double>(index))};
    }
    /// The sample nearest to a value.
    [[nodiscard]] std::size_t nearest(double value) const {
        const Between at = locate(value);
        return at.index + (at.weight < 0.5F ? 0 : 1);
    }
};

/// The fractional part of the golden ratio: its multiples fill 0 to 1 evenly, however many there are.
inline constexpr double kGoldenRatio = 0.6180339887498949;

}  // namespace tof
