// SPDX-License-Identifier: Apache-2.0
#include "recon/base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace tof {

std::uint64_t physicalBytes() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long page = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
                                 : std::numeric_limits<std::uint64_t>::max();
}

std::uint64_t availableBytes() {
    constexpr std::uint64_t kKibi = 1024;
    std::ifstream table("/proc/meminfo");
    std::string key;
    std::uint64_t value = 0;
    for (std::string rest; table >> key >> value; std::getline(table, rest)) {
        if (key == "MemAvailable:") {
            return std::min(kKibi * value, physicalBytes());
        }
    }
    return physicalBytes();
}

}  // namespace tof
