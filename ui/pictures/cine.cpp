// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/cine.h"

#include <algorithm>

namespace tof::ui {

namespace {

constexpr double kRate = 8;  ///< pictures per second

}  // namespace

Cine::Cine(RunList& runs, ViewModel& view, QObject* parent) : QObject(parent), runs_(runs), view_(view) {
    connect(&timer_, &QTimer::timeout, this, &Cine::step);
    setRate(kRate);
}

void Cine::toggle(What what) {
    what_ = what_ == what ? What::Nothing : what;
    if (what_ == What::Nothing) {
        timer_.stop();
    } else {
        timer_.start();
    }
}

void Cine::step() {
    RunItem* item = runs_.selected();
    if (item == nullptr || what_ == What::Nothing) {
        toggle(what_);  // nothing to play any more
        return;
    }
    if (what_ == What::Iterates) {
        const std::vector<int> all = item->iterates();
        if (all.size() < 2 || item->volume() == nullptr) {
            return;
        }
        const auto next = std::upper_bound(all.begin(), all.end(), item->shownIterate());
        runs_.showIterate(item->id(), next != all.end() ? *next : all.front());
        return;
    }
    const Plane plane = view_.activePlane();
    const int slices = view_.sliceCount(plane);
    const int at = view_.sliceIndex(plane);
    view_.stepSlice(plane, at + 1 < slices ? 1 : -at);
}

}  // namespace tof::ui
