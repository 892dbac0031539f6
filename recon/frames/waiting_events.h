// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recon/io/bytes/spill_file.h"

namespace tof {

/// Events by their cells and times, in the order of their list, that wait until it is known how they are cut:
/// in a file (SpillFile), or in memory.
class WaitingEvents {
  public:
    using Take =
        std::function<void(std::span<const std::uint32_t> cells, std::span<const std::uint32_t> time_ms)>;

    /// The file is in the folder of the output `beside`; empty: they wait in memory.
    explicit WaitingEvents(const std::string& beside);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Adds events behind those that wait; there are as many times as cells. Throws CannotWrite.
    void append(std::span<const std::uint32_t> cells, std::span<const std::uint32_t> time_ms);
    /// Gives all of them, as many at a time as they were appended. Throws CannotWrite where the disk fails.
    void forEach(const Take& take) const;

  private:
    std::uint64_t size_ = 0;
    std::vector<std::size_t> batches_;  ///< events of each, whose times follow its cells
    std::optional<SpillFile> file_;
    std::vector<std::uint32_t> inMemory_;
};

}  // namespace tof
