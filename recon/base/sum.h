// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <numeric>

#include "recon/base/parallel.h"

namespace tof {

/// The sum of all values in double precision, one after the other; 0 of none.
template <class Values>
[[nodiscard]] double sumOf(const Values& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// That of many values, a quarter of a million at a time: the same for any number of threads.
template <class Values>
[[nodiscard]] double sumOf(const Values& values, const ThreadPool& pool) {
    constexpr std::size_t kAtATime = std::size_t{1} << 18U;
    return pool.sumRange(values.size(), kAtATime, [&](std::size_t begin, std::size_t end) {
        return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(begin),
                               values.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    });
}

}  // namespace tof
