// SPDX-License-Identifier: Apache-2.0
#include "recon/algorithm/spare_images.h"

#include <utility>

namespace tof {

namespace {

constexpr std::size_t kMost = 1;  // who keeps the last iterate lets one go for each that comes

}  // namespace

std::shared_ptr<Volume> SpareImages::volume() {
    const auto letGo = [home = weak_from_this()](Volume* volume) {
        const std::unique_ptr<Volume> owned(volume);
        if (const auto spare = home.lock()) {
            spare->giveBack(std::move(owned->data));
        }
    };
    auto volume = std::make_unique<Volume>();
    volume->data = take();
    return {volume.release(), letGo};
}

std::vector<float> SpareImages::take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) {
        return {};
    }
    std::vector<float> data = std::move(spare_.back());
    spare_.pop_back();
    return data;
}

void SpareImages::giveBack(std::vector<float> data) {
    const std::lock_guard lock(mutex_);
    if (spare_.size() < kMost) {
        spare_.push_back(std::move(data));
    }
}

}  // namespace tof
