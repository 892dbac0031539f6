// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace tof {

/// Things [begin, end) of many.
struct RankRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// What rank `rank` of `size` has of `count` things: neighbours, as many for each but for one.
[[nodiscard]] inline RankRange rangeOf(std::size_t count, int rank, int size) {
    const auto n = static_cast<std::size_t>(size);
    const auto r = static_cast<std::size_t>(rank);
    return {count / n * r + std::min(r, count % n), count / n * (r + 1) + std::min(r + 1, count % n)};
}

}  // namespace tof
