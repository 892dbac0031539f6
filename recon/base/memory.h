// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace tof {

/// Bytes of memory that this program may have at most: those of the machine, or of a limit below them (a
/// control group, as batch systems and containers set it; RLIMIT_AS). The largest number when the system does
/// not say.
[[nodiscard]] std::uint64_t physicalBytes();

/// Bytes that can be had without taking them from other programs and below every limit; physicalBytes() when
/// the system does not say. Changes from one moment to the next.
[[nodiscard]] std::uint64_t availableBytes();

/// Has the system refuse this program's memory (std::bad_alloc) where a control group would kill it for
/// taking more than is left: its writable memory is limited to that, less a twentieth for what the system
/// needs beside it. Does nothing where no group leaves less than the machine has, or where a sanitizer has
/// taken more addresses.
void refuseBeforeGroupsKill();

/// What the control groups of a program allow.
struct GroupMemory {
    std::uint64_t most;  ///< the least limit; the largest number: none
    std::uint64_t left;  ///< the least that is left below a limit
};
/// Reads `membership`, as /proc/self/cgroup, and the groups on the way to it below `root`, as /sys/fs/cgroup,
/// of both versions.
[[nodiscard]] GroupMemory groupMemory(const std::string& membership, const std::string& root);

}  // namespace tof
