// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tof {

/// A file of yardl as the bytes of its binary encoding. Not thread-safe.
class YardlBytes {
  public:
    virtual ~YardlBytes() = default;
    [[nodiscard]] virtual const std::string& path() const = 0;
    /// How many there are; more than in any file while the end is not known.
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Some of the bytes from `at` on; none behind the end. Throws BadInput.
    virtual void read(std::uint64_t at, std::vector<std::byte>& out) = 0;
};

}  // namespace tof
