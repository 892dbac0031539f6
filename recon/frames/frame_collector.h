// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recon/data/framed_counts.h"

namespace tof {

/// Makes the counts of frames of batches of events that have found their cells.
class FrameCollector {
  public:
    /// `frames` say their times, without counts; `parts` as FrameCounts has them.
    FrameCollector(std::vector<FrameCounts> frames, std::size_t parts);

    /// Batches that are added from now on are of this frame.
    void begin(std::size_t frame) { at_ = frame; }
    /// `starts`: by part, and the end, where its events begin in `cells`.
    void add(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> cells,
             std::uint64_t outside, std::uint64_t rejected);
    /// Events of data of one part, each with its cell or kNoCell: those are rejected.
    void add(std::span<const std::uint32_t> cells);
    /// The frames; those without events have none.
    [[nodiscard]] std::vector<FrameCounts> take();

  private:
    /// Sorts the events of a frame, which lie batch after batch, by their parts.
    void join(std::size_t frame);

    std::vector<FrameCounts> frames_;
    std::vector<std::vector<std::uint32_t>> starts_;  ///< by frame: `starts` of one batch after the other
    std::size_t at_ = 0;
};

}  // namespace tof
