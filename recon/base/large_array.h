// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace tof
