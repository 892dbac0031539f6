// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/place_handles.h"

namespace tof::ui {

void PlaceHandles::hold(const Held& held) {
    const bool drags = dragging() && held.image != nullptr;
    if (held.image == held_.image && held.at == held_.at && (drags || held.at == place_)) {
        return;
    }
    held_ = held;
    if (!drags) {
        before_.reset();
        place_ = held.at;
    }
    Q_EMIT changed();
}

void PlaceHandles::showAt(const RigidPlace& place) {
    if (shown() && !(place == place_)) {
        place_ = place;
        Q_EMIT changed();
    }
}

void PlaceHandles::beginDrag() {
    before_ = place_;
}

void PlaceHandles::drag(const Pose& by) {
    if (before_) {
        showAt(placeOf(by.after(poseOf(*before_, held_.middle)), held_.middle));
    }
}

void PlaceHandles::endDrag() {
    const bool moved = before_ && !(*before_ == place_);
    before_.reset();
    if (moved) {
        Q_EMIT put();
    }
}

bool PlaceHandles::abandonDrag() {
    if (!before_) {
        return false;
    }
    const RigidPlace back = *before_;
    before_.reset();
    showAt(back);
    return true;
}

std::optional<Pose> PlaceHandles::away(const Volume* image) const {
    if (image == nullptr || image != held_.image.get() || place_ == held_.at) {
        return std::nullopt;
    }
    return poseOf(place_, held_.middle).after(poseOf(held_.at, held_.middle).inverse());
}

}  // namespace tof::ui
