// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/voxel_counts.h"

#include <algorithm>
#include <span>

#include "recon/metrics/profile.h"

namespace tof::ui {

namespace {

constexpr std::size_t kStretch = std::size_t{1} << 20U;  ///< voxels between two looks at the wish

std::vector<std::size_t> counted(std::span<const float> values, DisplayRange range, const Wish& wish) {
    std::vector<std::size_t> bins(VoxelCounts::kBins, 0);
    for (std::size_t at = 0; at < values.size(); at += kStretch) {
        wish();
        const auto stretch = values.subspan(at, std::min(kStretch, values.size() - at));
        const auto some = histogram(stretch, range.low, range.high, VoxelCounts::kBins);
        std::transform(bins.begin(), bins.end(), some.begin(), bins.begin(), std::plus<>());
    }
    return bins;
}

}  // namespace

VoxelCounts::VoxelCounts(Threading threading, std::function<void()> came)
    : came_(std::move(came)), worker_(threading) {}

VoxelCounts::~VoxelCounts() {
    wish_.end();
}

const VoxelCounts::Histogram& VoxelCounts::newest(const std::shared_ptr<const Volume>& volume,
                                                  DisplayRange range) {
    if (volume == nullptr) {
        wish_.end();
        subject_ = {};
        histogram_ = {};
        return histogram_;
    }
    if (subject_.is(volume, range)) {
        wish_.end();
    } else if (!worker_.busy()) {
        start(volume, range);
    } else if (!overtaken_ && !underWay_.is(volume, range)) {
        // Live images may come faster than one is counted: what took the place of another is counted to its
        // end, so that there is something to see.
        overtaken_ = true;
        wish_.end();
    }
    return histogram_;
}

void VoxelCounts::start(const std::shared_ptr<const Volume>& volume, DisplayRange range) {
    underWay_ = {volume, range};
    wish_ = Wish();
    const auto bins = std::make_shared<std::vector<std::size_t>>();
    worker_.start([bins, volume, range, wish = wish_] { *bins = counted(volume->data, range, wish); },
                  [this, bins](const std::exception_ptr& fault) {
                      if (!isCancelled(fault)) {
                          subject_ = underWay_;
                          histogram_ = {underWay_.range, std::move(*bins)};
                          overtaken_ = false;
                      }
                      came_();
                  });
}

VoxelCounts::Histogram VoxelCounts::exactly(const std::shared_ptr<const Volume>& volume,
                                            DisplayRange range) const {
    if (subject_.is(volume, range)) {
        return histogram_;
    }
    return {range, counted(volume->data, range, Wish())};
}

}  // namespace tof::ui
