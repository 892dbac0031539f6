// SPDX-License-Identifier: Apache-2.0
#include "recon/frames/frame_collector.h"

#include <algorithm>
#include <utility>

namespace tof {

FrameCollector::FrameCollector(const std::vector<TimeFrame>& frames, std::size_t views) : views_(views) {
    for (const TimeFrame& time : frames) {
        frames_.push_back({time, 0, 0, 0, std::vector<std::uint64_t>(views + 1, 0), {}});
    }
}

void FrameCollector::begin(std::size_t frame) {
    if (frame != at_) {
        join();
        at_ = frame;
    }
}

void FrameCollector::add(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> voxels,
                         std::uint64_t outside, std::uint64_t rejected) {
    FrameCounts& frame = frames_.at(at_);
    frame.kept += voxels.size();
    frame.outside += outside;
    frame.rejected += rejected;
    for (std::size_t view = 0; view < views_.size(); ++view) {
        const auto events = voxels.subspan(starts[view], starts[view + 1] - starts[view]);
        views_[view].insert(views_[view].end(), events.begin(), events.end());
    }
}

void FrameCollector::join() {
    FrameCounts& frame = frames_.at(at_);
    frame.voxels.reserve(frame.kept);
    for (std::size_t view = 0; view < views_.size(); ++view) {
        frame.firsts[view] = frame.voxels.size();
        frame.voxels.insert(frame.voxels.end(), views_[view].begin(), views_[view].end());
        views_[view].clear();
    }
    frame.firsts.back() = frame.voxels.size();
}

std::vector<FrameCounts> FrameCollector::take() {
    join();
    return std::move(frames_);
}

}  // namespace tof
