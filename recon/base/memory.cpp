// SPDX-License-Identifier: Apache-2.0
#include "recon/base/memory.h"

#include <unistd.h>

#include <limits>

namespace tof {

std::uint64_t physicalBytes() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long page = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
                                 : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace tof
