// SPDX-License-Identifier: Apache-2.0
// The handles that lay an image onto another one, in one picture: a cross that shifts it in the plane, and a
// ring about the cross that turns it about the plane's normal.
#pragma once

#include <QPointF>
#include <QSize>
#include <optional>

#include "recon/motion/pose.h"
#include "ui/kit/picture_marks.h"
#include "ui/pictures/roi_overlay.h"

class QKeyEvent;
class QPainter;

namespace tof::ui {

class PlaceHandles;

enum class PlaceGrip { None, Cross, Ring };

/// What a press would take hold of.
[[nodiscard]] PlaceGrip placeGripAt(const PlaneMap& map, const PlaceHandles& handles, QSize picture,
                                    QPointF at);
/// The motion of a drag; a turn is clockwise in the picture where the pointer goes clockwise, by a multiple
/// of `step_deg`, 0 for any.
[[nodiscard]] Pose placeDragged(const PlaneMap& map, const PlaceHandles& handles, PlaceGrip grip,
                                QPointF from, QPointF to, double step_deg);
/// Alt with an arrow key: 1 mm in the plane that way; Alt with Page Up or Page Down: 1 degree anticlockwise
/// or clockwise; with Shift ten times as far. Nothing for other keys.
[[nodiscard]] std::optional<Pose> placeByKey(const PlaneMap& map, const PlaceHandles& handles,
                                             const QKeyEvent& event);
void paintPlaceMarks(QPainter& painter, const PlaneMap& map, const PlaceHandles& handles, QSize picture,
                     MarkGround ground);

}  // namespace tof::ui
