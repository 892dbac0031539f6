// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recon/data/framed_counts.h"

namespace tof {

/// Makes the counts of frames of batches of deposited events, one frame after the other.
class FrameCollector {
  public:
    FrameCollector(const std::vector<TimeFrame>& frames, std::size_t views);

    /// Batches that are added from now on are of this frame, no earlier one than before.
    void begin(std::size_t frame);
    /// `starts`: by view, and the end, where its events begin in `voxels`.
    void add(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> voxels,
             std::uint64_t outside, std::uint64_t rejected);
    /// The frames; those without events have none.
    [[nodiscard]] std::vector<FrameCounts> take();

  private:
    /// The frame at hand gets its events.
    void join();

    std::vector<FrameCounts> frames_;
    std::size_t at_ = 0;
    std::vector<std::vector<std::uint32_t>> views_;  ///< events of the frame at hand
};

}  // namespace tof
