// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ui/rois/roi_actions.h"

class QWidget;

namespace tof::ui {

struct RingRequest {
    int copies = 8;
    Vec3 about;
};
/// How many copies about which point; empty when the user changes their mind.
[[nodiscard]] std::optional<RingRequest> askForRing(const RingRequest& start, QWidget* parent);

struct ThresholdRequest {
    double percent = 41;
    double reach_mm = 30;
    ThresholdKind kind = ThresholdKind::Sphere;
};
[[nodiscard]] std::optional<ThresholdRequest> askForThreshold(const ThresholdRequest& start, QWidget* parent);

}  // namespace tof::ui
