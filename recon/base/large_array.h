// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "recon/base/parallel.h"

namespace tof {

/// Has the system find the pages of memory that was allocated and not touched yet, by all threads of `pool`
/// and as large pages where it can. What is written there is undefined until it is initialised.
void findPages(void* start, std::size_t bytes, const ThreadPool& pool);

/// `count` zeros. One thread that fills hundreds of MB waits for the system most of the time; here all
/// threads do.
template <class T>
[[nodiscard]] std::vector<T> largeArray(std::size_t count, const ThreadPool& pool) {
    std::vector<T> values;
    values.reserve(count);
    findPages(values.data(), count * sizeof(T), pool);
    values.resize(count);
    return values;
}

/// A copy made by all threads.
template <class T>
[[nodiscard]] std::vector<T> largeCopy(const std::vector<T>& values, const ThreadPool& pool) {
    constexpr std::size_t kCopiedAtOnce = std::size_t{1} << 18U;
    std::vector<T> copy = largeArray<T>(values.size(), pool);
    pool.forRange(values.size(), kCopiedAtOnce, [&](std::size_t begin, std::size_t end) {
        std::copy(values.begin() + static_cast<std::ptrdiff_t>(begin),
                  values.begin() + static_cast<std::ptrdiff_t>(end),
                  copy.begin() + static_cast<std::ptrdiff_t>(begin));
    });
    return copy;
}

/// Resizes `values` to `count`, of which there were less. Where memory has to be found, it is found by all
/// threads, for `more` others beside or at least for twice as many as before.
template <class T>
void growTo(std::vector<T>& values, std::size_t count, std::size_t more, const ThreadPool& pool) {
    if (const std::size_t before = values.size(); count > values.capacity()) {
        values.reserve(std::max(count + more, 2 * before));
        findPages(values.data() + before, (values.capacity() - before) * sizeof(T), pool);
    }
    values.resize(count);
}

}  // namespace tof
