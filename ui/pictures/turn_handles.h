// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <vector>

#include "ui/kit/picture_marks.h"
#include "ui/pictures/roi_overlay.h"
#include "viz/slice_view.h"

namespace tof::ui {

class ViewModel;

/// By how much the lines in which the other two planes cut a picture are turned in it, degrees clockwise, -45
/// to 45.
[[nodiscard]] double crosshairAngle_deg(const PlaneMap& map, const ViewModel& view);
/// The crosshair of a picture, turned with the planes.
void drawTurnedCrosshair(QPainter& painter, QSize picture, QPointF at, double angle_deg, MarkGround ground);

/// Places in a picture that turn the other two planes about its normal: four about the cursor, on the
/// crosshair.
[[nodiscard]] std::vector<QPointF> turnHandles(const PlaneMap& map, const ViewModel& view, QSize picture);
void paintTurnHandles(QPainter& painter, const std::vector<QPointF>& handles, MarkGround ground);
/// True for a place that takes hold of a handle.
[[nodiscard]] bool isOnHandle(const std::vector<QPointF>& handles, QPointF at);
/// The planes after a drag about the cursor; `step_deg`: what the angle is a multiple of, 0 for any.
[[nodiscard]] viz::Turn turnedBy(const viz::Turn& before, const PlaneMap& map, const ViewModel& view,
                                 QPointF from, QPointF to, double step_deg);

}  // namespace tof::ui
