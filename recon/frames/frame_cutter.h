// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "recon/data/framed_counts.h"
#include "recon/data/time_frame.h"
#include "recon/frames/gates.h"
#include "recon/motion/pose_steps.h"

namespace tof {

/// Says which events of a list lie in which frame, and there in which gate: a frame is a set of times when it
/// is on, which is one without gates. The list comes in parts, in the order of time.
class FrameCutter {
  public:
    /// Events of a part, [begin, end), that lie in a frame.
    struct Piece {
        std::size_t frame = 0;  ///< number in outline()
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    /// `source` is the list, for sentences; `duration_s` how long it is, 0: not known. Throws WrongUse for
    /// frames that end after it. With `gates` gates those of every frame stand in its place.
    FrameCutter(std::vector<TimeFrame> frames, std::string source, double duration_s, int gates = 0,
                const std::vector<GateTime>& on = {});

    /// Times in ms of the events that follow those of all parts before. Throws BadInput where they go back.
    [[nodiscard]] std::vector<Piece> cut(std::span<const std::uint32_t> time_ms);
    /// Says that another process cuts the next `events`, of which the last one happened at `last_ms`.
    void pass(std::uint64_t events, std::uint32_t last_ms);
    /// After the last part. Throws WrongUse for frames that begin after the last event of a list whose
    /// duration is not known.
    void finish() const;

    [[nodiscard]] const std::vector<TimeFrame>& frames() const { return frames_; }
    /// The frames, or the gates of each, without counts. `halfLife_s`: half life of what decays meanwhile, 0:
    /// not stated.
    [[nodiscard]] std::vector<FrameCounts> outline(double halfLife_s) const;
    /// How long each pose lasted in each of the outline's frames, s, as PoseSteps::addTime() counts it.
    [[nodiscard]] std::vector<std::vector<double>> poseTimes(const PoseSteps& steps, double halfLife_s) const;
    /// Events in none of the frames so far, of those that were cut here.
    [[nodiscard]] std::uint64_t between() const { return between_; }
    /// What leaves out time, or is not known of its end: one sentence, or empty. `ofOthers`: events in none
    /// of the frames of those that were passed.
    [[nodiscard]] std::string note(std::uint64_t ofOthers = 0) const;

  private:
    /// A time when a frame is on, in whole ms.
    struct Slot {
        std::int64_t begin_ms = 0;
        std::int64_t end_ms = 0;
        std::size_t frame = 0;
    };

    void takeSlots(const std::vector<GateTime>& on);
    void requireOrder(std::span<const std::uint32_t> time_ms) const;

    std::vector<TimeFrame> frames_;
    std::string source_;
    double duration_s_;
    int gates_;
    std::vector<Slot> slots_;   ///< ascending and apart
    std::uint64_t events_ = 0;  ///< so far
    std::uint64_t between_ = 0;
    std::uint32_t last_ms_ = 0;  ///< time of the last one
};

}  // namespace tof
