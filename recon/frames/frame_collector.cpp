// SPDX-License-Identifier: Apache-2.0
#include "recon/frames/frame_collector.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace tof {

namespace {

/// The cells of a frame by their parts, which begin at `firsts`; fetch(batch, cells) gives those of a batch.
template <class Fetch>
std::vector<std::uint32_t> byParts(const std::vector<std::uint64_t>& firsts,
                                   std::span<const std::uint32_t> starts, const Fetch& fetch) {
    const std::size_t row = firsts.size();
    std::vector<std::uint32_t> sorted(firsts.back());
    std::vector<std::uint64_t> next(firsts);
    for (std::size_t batch = 0; batch * row < starts.size(); ++batch) {
        const std::span<const std::uint32_t> own = starts.subspan(batch * row, row);
        auto from = fetch(batch, own.back()).begin();
        for (std::size_t part = 0; part + 1 < row; ++part) {
            const std::uint32_t count = own[part + 1] - own[part];
            std::copy_n(from, count, sorted.begin() + static_cast<std::ptrdiff_t>(next[part]));
            from += count;
            next[part] += count;
        }
    }
    return sorted;
}

}  // namespace

/// Batches in a file, which are sorted as their frame is read.
class FrameCollector::Spilled : public StoredCells {
  public:
    Spilled(std::shared_ptr<const SpillFile> file, std::vector<Batches> batches,
            std::vector<std::vector<std::uint64_t>> firsts)
        : file_(std::move(file)), batches_(std::move(batches)), firsts_(std::move(firsts)) {}
    [[nodiscard]] std::vector<std::uint32_t> read(std::size_t frame) const override {
        const Batches& own = batches_.at(frame);
        std::vector<std::uint32_t> batch;
        return byParts(firsts_.at(frame), own.starts, [&](std::size_t number, std::size_t cells) {
            batch.resize(cells);
            file_->read(own.places[number], batch);
            return std::span<const std::uint32_t>(batch);
        });
    }

  private:
    std::shared_ptr<const SpillFile> file_;
    std::vector<Batches> batches_;
    std::vector<std::vector<std::uint64_t>> firsts_;
};

FrameCollector::FrameCollector(std::vector<FrameCounts> frames, std::size_t parts)
    : frames_(std::move(frames)), batches_(frames_.size()) {
    for (FrameCounts& frame : frames_) {
        frame.firsts.assign(parts + 1, 0);
    }
}

void FrameCollector::spillBeside(const std::string& output, std::size_t waiting) {
    spill_ = std::make_shared<SpillFile>(output);
    waiting_ = waiting;
}

void FrameCollector::add(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> cells,
                         std::uint64_t outside, std::uint64_t rejected) {
    FrameCounts& frame = frames_.at(at_);
    frame.kept += cells.size();
    frame.outside += outside;
    frame.rejected += rejected;
    Batches& own = batches_[at_];
    own.starts.insert(own.starts.end(), starts.begin(), starts.end());
    if (spill_ == nullptr) {
        frame.voxels.insert(frame.voxels.end(), cells.begin(), cells.end());
        return;
    }
    own.places.push_back(spill_->size() + unwritten_.size());
    unwritten_.insert(unwritten_.end(), cells.begin(), cells.end());
    if (unwritten_.size() > waiting_) {
        spill_->append(unwritten_);
        unwritten_.clear();
    }
}

void FrameCollector::add(std::span<const std::uint32_t> cells) {
    std::vector<std::uint32_t> kept;
    kept.reserve(cells.size());
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(kept),
                 [](std::uint32_t cell) { return cell != kNoCell; });
    const std::array<std::uint32_t, 2> starts{0, static_cast<std::uint32_t>(kept.size())};
    add(starts, kept, 0, cells.size() - kept.size());
}

void FrameCollector::count(FrameCounts& frame, std::span<const std::uint32_t> starts) {
    const std::size_t row = frame.firsts.size();
    for (std::size_t batch = 0; batch < starts.size(); batch += row) {
        for (std::size_t part = 0; part + 1 < row; ++part) {
            frame.firsts[part + 1] += starts[batch + part + 1] - starts[batch + part];
        }
    }
    for (std::size_t part = 1; part < row; ++part) {
        frame.firsts[part] += frame.firsts[part - 1];
    }
}

std::shared_ptr<const StoredCells> FrameCollector::stored() {
    if (spill_ == nullptr) {
        return nullptr;
    }
    spill_->append(unwritten_);
    unwritten_ = {};
    std::vector<std::vector<std::uint64_t>> firsts;
    for (std::size_t frame = 0; frame < frames_.size(); ++frame) {
        count(frames_[frame], batches_[frame].starts);
        firsts.push_back(frames_[frame].firsts);
    }
    return std::make_shared<Spilled>(spill_, std::exchange(batches_, {}), std::move(firsts));
}

std::vector<FrameCounts> FrameCollector::take() {
    for (std::size_t frame = 0; frame < batches_.size(); ++frame) {
        FrameCounts& counts = frames_[frame];
        const std::vector<std::uint32_t> starts = std::move(batches_[frame].starts);
        count(counts, starts);
        if (counts.firsts.size() > 2) {  // those of one part lie as they are to
            std::span<const std::uint32_t> left(counts.voxels);
            counts.voxels = byParts(counts.firsts, starts, [&](std::size_t /*batch*/, std::size_t cells) {
                return std::exchange(left, left.subspan(cells)).first(cells);
            });
        }
    }
    return std::move(frames_);
}

}  // namespace tof
