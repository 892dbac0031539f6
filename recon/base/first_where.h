// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "recon/base/parallel.h"

namespace tof {

/// The smallest i of [0, n) for which wrong(i) is true, or n; looked for by all threads of `pool`.
template <class Wrong>
[[nodiscard]] std::size_t firstWhere(const ThreadPool& pool, std::size_t n, const Wrong& wrong) {
    constexpr std::size_t kAskedAtOnce = std::size_t{1} << 18U;
    std::atomic<std::size_t> first = n;
    pool.forRange(n, kAskedAtOnce, [&](std::size_t begin, std::size_t end) {
        std::size_t i = begin;
        while (i < end && !wrong(i)) {
            ++i;
        }
        std::size_t before = first;
        while (i < end && i < before && !first.compare_exchange_weak(before, i)) {
        }
    });
    return first;
}

}  // namespace tof
