// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tof {

/// Cells of the events of frames that do not stay in memory.
class StoredCells {
  public:
    StoredCells() = default;
    virtual ~StoredCells() = default;
    StoredCells(const StoredCells&) = delete;
    StoredCells& operator=(const StoredCells&) = delete;
    /// Those of a frame, as FrameCounts::voxels. Throws CannotWrite where their file fails.
    [[nodiscard]] virtual std::vector<std::uint32_t> read(std::size_t frame) const = 0;
};

}  // namespace tof
