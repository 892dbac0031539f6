// SPDX-License-Identifier: Apache-2.0
#include "recon/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t pageBytes() {
    const long page = ::sysconf(_SC_PAGESIZE);
    return page > 0 ? static_cast<std::uint64_t>(page) : 4096;
}

/// The number in a file; nothing where it is not there or says "max".
std::optional<std::uint64_t> numberIn(const fs::path& file) {
    std::ifstream in(file);
    std::uint64_t value = 0;
    return in >> value ? std::optional(value) : std::nullopt;
}

/// Bytes of a group that are copies of files, which go when memory is needed.
std::uint64_t droppable(const fs::path& file) {
    std::ifstream table(file);
    std::uint64_t value = 0;
    for (std::string key; table >> key >> value;) {
        if (key == "inactive_file" || key == "total_inactive_file") {
            return value;
        }
    }
    return 0;
}

/// A group and all above it, as each may have a limit.
void takeGroups(GroupMemory& memory, const fs::path& root, const std::string& group, const char* limit,
                const char* usage) {
    fs::path place = root / fs::path(group).relative_path();
    for (;;) {
        if (const std::optional<std::uint64_t> most = numberIn(place / limit)) {
            const std::uint64_t used = numberIn(place / usage).value_or(0);
            const std::uint64_t held = used - std::min(used, droppable(place / "memory.stat"));
            memory.most = std::min(memory.most, *most);
            memory.left = std::min(memory.left, *most - std::min(*most, held));
        }
        if (place == root || place.string().size() <= root.string().size()) {
            return;
        }
        place = place.parent_path();
    }
}

GroupMemory ownGroups() {
    return groupMemory("/proc/self/cgroup", "/sys/fs/cgroup");
}

/// RLIMIT_AS, and what of it is left.
GroupMemory addressSpace() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return {kUnlimited, kUnlimited};
    }
    const auto most = static_cast<std::uint64_t>(limit.rlim_cur);
    const std::uint64_t used = numberIn("/proc/self/statm").value_or(0) * pageBytes();
    return {most, most - std::min(most, used)};
}

std::uint64_t machineBytes() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? static_cast<std::uint64_t>(pages) * pageBytes() : kUnlimited;
}

}  // namespace

GroupMemory groupMemory(const std::string& membership, const std::string& root) {
    GroupMemory memory{kUnlimited, kUnlimited};
    std::ifstream lines(membership);
    for (std::string line; std::getline(lines, line);) {
        // "0::/user.slice" of version 2, "4:memory:/slurm/job_7" of version 1
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
        if (second == std::string::npos) {
            continue;
        }
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const std::string group = line.substr(second + 1);
        if (controllers == ",,") {
            takeGroups(memory, root, group, "memory.max", "memory.current");
        } else if (controllers.find(",memory,") != std::string::npos) {
            takeGroups(memory, fs::path(root) / "memory", group, "memory.limit_in_bytes",
                       "memory.usage_in_bytes");
        }
    }
    return memory;
}

void refuseBeforeGroupsKill() {
    const std::uint64_t left = ownGroups().left;
    rlimit limit{};
    if (left >= machineBytes() || ::getrlimit(RLIMIT_DATA, &limit) != 0) {
        return;
    }
    // "total resident shared text library data" in pages
    std::ifstream pages("/proc/self/statm");
    std::uint64_t data = 0;
    for (int column = 0; column < 6; ++column) {
        pages >> data;
    }
    const std::uint64_t most = data * pageBytes() + left - left / 20;
    if (data * pageBytes() < left && most < limit.rlim_cur) {
        limit.rlim_cur = static_cast<rlim_t>(most);
        static_cast<void>(::setrlimit(RLIMIT_DATA, &limit));
    }
}

std::uint64_t physicalBytes() {
    return std::min({machineBytes(), ownGroups().most, addressSpace().most});
}

std::uint64_t availableBytes() {
    constexpr std::uint64_t kKibi = 1024;
    const std::uint64_t limits = std::min({machineBytes(), ownGroups().left, addressSpace().left});
    std::ifstream table("/proc/meminfo");
    std::string key;
    std::uint64_t value = 0;
    for (std::string rest; table >> key >> value; std::getline(table, rest)) {
        if (key == "MemAvailable:") {
            return std::min(kKibi * value, limits);
        }
    }
    return limits;
}

}  // namespace tof
