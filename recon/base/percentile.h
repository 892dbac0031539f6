// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tof {

/// The one of n values at floor(share (n - 1)) in ascending order, share 0..1. Changes the order of `values`,
/// which must not be empty.
template <typename T>
[[nodiscard]] T percentile(std::vector<T>& values, double share) {
    const auto at =
        values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// The one of n values at n / 2 in ascending order: the upper of two middle ones. `values` must not be empty.
[[nodiscard]] inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace tof
