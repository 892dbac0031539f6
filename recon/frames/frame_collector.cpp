// SPDX-License-Identifier: Apache-2.0
#include "recon/frames/frame_collector.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace tof {

FrameCollector::FrameCollector(std::vector<FrameCounts> frames, std::size_t parts)
    : frames_(std::move(frames)), starts_(frames_.size()) {
    for (FrameCounts& frame : frames_) {
        frame.firsts.assign(parts + 1, 0);
    }
}

void FrameCollector::add(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> cells,
                         std::uint64_t outside, std::uint64_t rejected) {
    FrameCounts& frame = frames_.at(at_);
    frame.kept += cells.size();
    frame.outside += outside;
    frame.rejected += rejected;
    frame.voxels.insert(frame.voxels.end(), cells.begin(), cells.end());
    starts_[at_].insert(starts_[at_].end(), starts.begin(), starts.end());
}

void FrameCollector::add(std::span<const std::uint32_t> cells) {
    FrameCounts& frame = frames_.at(at_);
    const std::size_t before = frame.voxels.size();
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(frame.voxels),
                 [](std::uint32_t cell) { return cell != kNoCell; });
    const auto kept = static_cast<std::uint32_t>(frame.voxels.size() - before);
    frame.kept += kept;
    frame.rejected += cells.size() - kept;
    const std::array<std::uint32_t, 2> starts{0, kept};
    starts_[at_].insert(starts_[at_].end(), starts.begin(), starts.end());
}

void FrameCollector::join(std::size_t frame) {
    FrameCounts& counts = frames_[frame];
    const std::vector<std::uint32_t>& starts = starts_[frame];
    const std::size_t row = counts.firsts.size();
    for (std::size_t batch = 0; batch < starts.size(); batch += row) {
        for (std::size_t part = 0; part + 1 < row; ++part) {
            counts.firsts[part + 1] += starts[batch + part + 1] - starts[batch + part];
        }
    }
    for (std::size_t part = 1; part < row; ++part) {
        counts.firsts[part] += counts.firsts[part - 1];
    }
    if (row == 2) {
        return;  // one part: they lie as they are to
    }
    std::vector<std::uint32_t> sorted(counts.voxels.size());
    std::vector<std::uint64_t> next(counts.firsts);
    auto from = counts.voxels.begin();
    for (std::size_t batch = 0; batch < starts.size(); batch += row) {
        for (std::size_t part = 0; part + 1 < row; ++part) {
            const auto count = starts[batch + part + 1] - starts[batch + part];
            std::copy_n(from, count, sorted.begin() + static_cast<std::ptrdiff_t>(next[part]));
            from += count;
            next[part] += count;
        }
    }
    counts.voxels = std::move(sorted);
}

std::vector<FrameCounts> FrameCollector::take() {
    for (std::size_t frame = 0; frame < frames_.size(); ++frame) {
        join(frame);
        starts_[frame] = {};
    }
    return std::move(frames_);
}

}  // namespace tof
