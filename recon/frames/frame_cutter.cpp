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

FrameCutter::FrameCutter(std::vector<TimeFrame> frames, std::string source, double duration_s)
    : frames_(std::move(frames)), source_(std::move(source)), duration_s_(duration_s) {
    requireFrames(frames_, "--frames");
    for (std::size_t i = 0; duration_s > 0 && i < frames_.size(); ++i) {
        if (msOf(frames_[i].end_s()) > msOf(duration_s)) {
            throw WrongUse("--frames: frame {} ends after the list, which is {:.3f} s long; {}",
                           frameText(frames_, i), duration_s,
                           frames_[i].start_s < duration_s ? "end it there" : "leave it out");
        }
    }
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
    const auto eventAt = [&](double time_s) {
        const auto found = std::lower_bound(time_ms.begin(), time_ms.end(), msOf(time_s),
                                            [](std::int64_t event, std::int64_t at) { return event < at; });
        return static_cast<std::size_t>(found - time_ms.begin());
    };
    std::vector<Piece> pieces;
    std::uint64_t within = 0;
    for (std::size_t frame = 0; frame < frames_.size(); ++frame) {
        const Piece piece{frame, eventAt(frames_[frame].start_s), eventAt(frames_[frame].end_s())};
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

std::string FrameCutter::note() const {
    std::string said;
    for (std::size_t i = 0; i < frames_.size() && said.empty(); ++i) {
        const double before_s = i > 0 ? frames_[i - 1].end_s() : 0;
        if (msOf(frames_[i].start_s) > msOf(before_s)) {
            said = fmt::format(
                "{}: the frames leave out time before frame {}; {} events of the list are in "
                "no frame",
                source_, frameText(frames_, i), between_);
        }
    }
    if (said.empty() && between_ > 0) {
        said = fmt::format("{}: {} events are after the last frame", source_, between_);
    }
    return said;
}

}  // namespace tof
