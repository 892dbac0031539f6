// SPDX-License-Identifier: Apache-2.0
#include "ui/responsiveness.h"

#include <algorithm>
#include <numeric>

namespace tof::ui {

LoopGaps::LoopGaps(QObject* parent) : QObject(parent) {
    // One millisecond keeps the loop turning without taking a core for itself.
    timer_.setInterval(1);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, [this] { turn(); });
}

void LoopGaps::start() {
    gaps_ms_.clear();
    clock_.start();
    last_ = clock_.nsecsElapsed();
    timer_.start();
}

void LoopGaps::stop() {
    timer_.stop();
}

void LoopGaps::turn() {
    const qint64 now = clock_.nsecsElapsed();
    gaps_ms_.push_back(static_cast<double>(now - last_) * 1e-6);
    last_ = now;
}

LoopGaps::Summary LoopGaps::summary() const {
    Summary s;
    s.turns = gaps_ms_.size();
    if (gaps_ms_.empty()) {
        return s;
    }
    std::vector<double> sorted = gaps_ms_;
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double share) {
        return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    };
    s.seconds = std::accumulate(sorted.begin(), sorted.end(), 0.0) / 1000;
    s.medianMs = at(0.5);
    s.p99Ms = at(0.99);
    s.maxMs = sorted.back();
    return s;
}

}  // namespace tof::ui
