// SPDX-License-Identifier: Apache-2.0
#include "recon/frames/frame_cutter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/frames/frame_list.h"

namespace tof {

namespace {

/// A time in whole ms, the nearest.
std::int64_t msOf(double time_s) {
    return std::llround(1e3 * time_s);
}

}  // namespace

FrameCutter::FrameCutter(std::vector<TimeFrame> frames, std::string source, double duration_s, int gates,
                         const std::vector<GateTime>& on)
    : frames_(std::move(frames)), source_(std::move(source)), duration_s_(duration_s), gates_(gates) {
    requireFrames(frames_, "--frames");
    for (std::size_t i = 0; duration_s > 0 && i < frames_.size(); ++i) {
        if (msOf(frames_[i].end_s()) > msOf(duration_s)) {
            throw WrongUse("--frames: frame {} ends after the list, which is {:.3f} s long; {}",
                           frameText(frames_, i), duration_s,
                           frames_[i].start_s < duration_s ? "end it there" : "leave it out");
        }
    }
    takeSlots(on);
}

void FrameCutter::takeSlots(const std::vector<GateTime>& on) {
    auto next = on.begin();
    for (std::size_t i = 0; i < frames_.size(); ++i) {
        const Slot all{msOf(frames_[i].start_s), msOf(frames_[i].end_s()), i};
        if (gates_ == 0) {
            slots_.push_back(all);
            continue;
        }
        next = std::find_if(next, on.end(),
                            [&](const GateTime& gate) { return msOf(gate.end_s) > all.begin_ms; });
        for (auto gate = next; gate != on.end() && msOf(gate->begin_s) < all.end_ms; ++gate) {
            const Slot slot{std::max(msOf(gate->begin_s), all.begin_ms),
                            std::min(msOf(gate->end_s), all.end_ms),
                            i * static_cast<std::size_t>(gates_) + static_cast<std::size_t>(gate->gate - 1)};
            if (slot.begin_ms < slot.end_ms) {
                slots_.push_back(slot);
            }
        }
    }
}

std::vector<FrameCounts> FrameCutter::outline(double halfLife_s) const {
    const auto perFrame = static_cast<std::size_t>(std::max(gates_, 1));
    std::vector<FrameCounts> outline(frames_.size() * perFrame);
    for (std::size_t i = 0; i < outline.size(); ++i) {
        outline[i].time = frames_[i / perFrame];
        outline[i].gate = gates_ > 0 ? static_cast<int>(i % perFrame) + 1 : 0;
    }
    std::vector<double> left(outline.size(), 0.0);  // of one decay rate at time 0, over each gate
    for (const Slot& slot : slots_) {
        if (gates_ > 0) {
            const double seconds = 1e-3 * static_cast<double>(slot.end_ms - slot.begin_ms);
            outline[slot.frame].gated_s += seconds;
            if (halfLife_s > 0) {
                const TimeFrame time{1e-3 * static_cast<double>(slot.begin_ms), seconds};
                left[slot.frame] += seconds / decayFactor(time, halfLife_s);
            }
        }
    }
    for (std::size_t i = 0; i < outline.size(); ++i) {
        outline[i].gatedDecay = left[i] > 0 ? outline[i].gated_s / left[i] : 0;
    }
    return outline;
}

std::vector<std::vector<double>> FrameCutter::poseTimes(const PoseSteps& steps, double halfLife_s) const {
    std::vector<std::vector<double>> times(frames_.size() * static_cast<std::size_t>(std::max(gates_, 1)),
                                           std::vector<double>(steps.poses.size(), 0.0));
    for (const Slot& slot : slots_) {
        steps.addTime(static_cast<double>(slot.begin_ms), static_cast<double>(slot.end_ms), halfLife_s,
                      times[slot.frame]);
    }
    return times;
}

void FrameCutter::requireOrder(std::span<const std::uint32_t> time_ms) const {
    std::uint32_t before = last_ms_;
    for (std::size_t i = 0; i < time_ms.size(); ++i) {
        if (time_ms[i] < before) {
            throw BadInput("{}: its clock goes back at event {}, from {} to {} ms; sort the list by time",
                           source_, events_ + i, before, time_ms[i]);
        }
        before = time_ms[i];
    }
}

std::vector<FrameCutter::Piece> FrameCutter::cut(std::span<const std::uint32_t> time_ms) {
    requireOrder(time_ms);
    std::size_t from = 0;
    const auto eventAt = [&](std::int64_t slot_ms) {
        const auto found =
            std::lower_bound(time_ms.begin() + static_cast<std::ptrdiff_t>(from), time_ms.end(), slot_ms,
                             [](std::int64_t event, std::int64_t at) { return event < at; });
        return from = static_cast<std::size_t>(found - time_ms.begin());
    };
    std::vector<Piece> pieces;
    std::uint64_t within = 0;
    const std::int64_t first_ms = time_ms.empty() ? 0 : time_ms.front();
    for (auto slot = std::partition_point(slots_.begin(), slots_.end(),
                                          [&](const Slot& one) { return one.end_ms <= first_ms; });
         slot != slots_.end() && from < time_ms.size(); ++slot) {
        const std::size_t begin = eventAt(slot->begin_ms);
        const Piece piece{slot->frame, begin, eventAt(slot->end_ms)};
        if (piece.begin < piece.end) {
            within += piece.end - piece.begin;
            pieces.push_back(piece);
        }
    }
    between_ += time_ms.size() - within;
    events_ += time_ms.size();
    last_ms_ = time_ms.empty() ? last_ms_ : time_ms.back();
    return pieces;
}

void FrameCutter::pass(std::uint64_t events, std::uint32_t last_ms) {
    events_ += events;
    last_ms_ = events > 0 ? last_ms : last_ms_;
}

void FrameCutter::finish() const {
    if (duration_s_ > 0) {
        return;
    }
    for (std::size_t i = 0; i < frames_.size(); ++i) {
        if (events_ == 0 || msOf(frames_[i].start_s) > last_ms_) {
            throw WrongUse(
                "--frames: frame {} begins after the last event, at {} ms, of a list that does not "
                "say how long it is; leave it out",
                frameText(frames_, i), last_ms_);
        }
    }
}

std::string FrameCutter::note(std::uint64_t ofOthers) const {
    const std::uint64_t between = between_ + ofOthers;
    std::string said;
    if (gates_ > 0) {
        return fmt::format("{}: {} events are in no gate", source_, between);
    }
    for (std::size_t i = 0; i < frames_.size() && said.empty(); ++i) {
        const double before_s = i > 0 ? frames_[i - 1].end_s() : 0;
        if (msOf(frames_[i].start_s) > msOf(before_s)) {
            said = fmt::format(
                "{}: the frames leave out time before frame {}; {} events of the list are in "
                "no frame",
                source_, frameText(frames_, i), between);
        }
    }
    if (said.empty() && between > 0) {
        said = fmt::format("{}: {} events are after the last frame", source_, between);
    }
    return said;
}

}  // namespace tof
