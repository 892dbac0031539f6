// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>

namespace tof {

/// The sum of all values in double precision, one after the other; 0 of none.
template <class Values>
[[nodiscard]] double sumOf(const Values& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace tof
