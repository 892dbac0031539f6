// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recon/data/framed_counts.h"
#include "recon/io/bytes/spill_file.h"

namespace tof {

/// Makes the counts of frames of batches of events that have found their cells.
class FrameCollector {
  public:
    /// So many cells wait in memory for the file that they go to.
    static constexpr std::size_t kWaiting = std::size_t{1} << 22U;

    /// `frames` say their times, without counts; `parts` as FrameCounts has them.
    FrameCollector(std::vector<FrameCounts> frames, std::size_t parts);

    /// Cells of batches that are added from now on go to a file in the folder of `output`, but for the last
    /// `waiting`: those of one frame alone are in memory at a time, when they are read.
    void spillBeside(const std::string& output, std::size_t waiting = kWaiting);
    /// Batches that are added from now on are of this frame.
    void begin(std::size_t frame) { at_ = frame; }
    /// `starts`: by part, and the end, where its events begin in `cells`. Throws CannotWrite.
    void add(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> cells,
             std::uint64_t outside, std::uint64_t rejected);
    /// Events of data of one part, each with its cell or kNoCell: those are rejected. Throws CannotWrite.
    void add(std::span<const std::uint32_t> cells);
    /// Where the cells are that went to a file; null: nowhere. Called once, before take(). Throws
    /// CannotWrite.
    [[nodiscard]] std::shared_ptr<const StoredCells> stored();
    /// The frames; those without events have none.
    [[nodiscard]] std::vector<FrameCounts> take();

  private:
    /// Batches of a frame as they came.
    struct Batches {
        std::vector<std::uint32_t> starts;  ///< those of one batch after the other
        std::vector<std::uint64_t> places;  ///< by batch, where its cells begin in the file
    };
    class Spilled;

    /// Says where the parts of a frame begin.
    static void count(FrameCounts& frame, std::span<const std::uint32_t> starts);

    std::vector<FrameCounts> frames_;
    std::vector<Batches> batches_;  ///< by frame
    std::size_t at_ = 0;
    std::shared_ptr<SpillFile> spill_;
    std::size_t waiting_ = kWaiting;
    std::vector<std::uint32_t> unwritten_;  ///< what follows in `spill_`
};

}  // namespace tof
