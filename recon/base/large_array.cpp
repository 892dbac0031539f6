// SPDX-License-Identifier: Apache-2.0
#include "recon/base/large_array.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace tof {

void findPages(void* start, std::size_t bytes, const ThreadPool& pool) {
    constexpr std::size_t kLeast = std::size_t{4} << 20U;  // what is smaller comes from memory in use
    constexpr std::size_t kPart = std::size_t{8} << 20U;
    if (bytes < kLeast) {
        return;
    }
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    auto* const first = static_cast<unsigned char*>(start);
    const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(first) % page) % page;
    // A wish: without large pages it is only slower.
    (void)::madvise(first + before, (bytes - before) / page * page, MADV_HUGEPAGE);
    pool.forRange(bytes, kPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; i += page) {
            *const_cast<volatile unsigned char*>(first + i) = 0;
        }
    });
}

}  // namespace tof
