// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_news.h"

#include <algorithm>

namespace tof::ui {

namespace {

std::shared_ptr<const Volume> volumeOf(const RunItem& item, std::vector<float> image) {
    auto volume = std::make_shared<Volume>();
    volume->lattice = item.lattice;
    volume->units = item.units.toStdString();
    volume->data = std::move(image);
    return volume;
}

}  // namespace

bool RunNews::take(RunChannel& channel, RunItem& item, const std::function<void()>& beforeResults) {
    RunChannel::News news = channel.take();
    bool changed = false;
    item.preparing = QString::fromStdString(news.preparing);
    if (!news.engine.empty()) {
        item.engine = QString::fromStdString(news.engine);
        changed = true;
    }
    if (news.progress) {
        item.progress = *news.progress;
        item.remainingSeconds = news.remainingSeconds;
        changed = true;
    }
    if (news.memory) {
        item.memory = *news.memory;
        item.peak.host = std::max(item.peak.host, item.memory.host);
        item.peak.device = std::max(item.peak.device, item.memory.device);
        changed = true;
    }
    if (news.workSeconds > 0) {
        item.workSeconds = news.workSeconds;
    }
    const RunState state = news.paused                   ? RunState::Paused
                           : !item.preparing.isEmpty()   ? RunState::Preparing
                           : item.progress.iteration > 0 ? RunState::Running
                                                         : RunState::Preparing;
    if (isActive(item.state) && state != item.state) {
        item.state = state;
        changed = true;
    }
    if (news.paused && item.order == "pausing") {
        item.order.clear();
        changed = true;
    }
    if (news.snapshot != nullptr) {
        pending_ = std::move(news.snapshot);
    }
    const bool arrived = pending_ != nullptr && pending_->ready();
    if (arrived || !news.figures.empty() || !news.iterates.empty()) {
        beforeResults();
        changed = true;
    }
    for (Figures& figures : news.figures) {
        item.figures.push_back(std::move(figures));
    }
    for (Iterate& iterate : news.iterates) {
        item.images[iterate.iteration] = std::move(iterate.image);
        item.timing.push_back({iterate.iteration, std::move(iterate.stageSeconds), iterate.seconds});
        item.live.reset();
    }
    if (arrived) {
        item.live = volumeOf(item, pending_->take());
        pending_.reset();
    }
    return changed;
}

}  // namespace tof::ui
