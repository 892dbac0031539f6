// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/place_marks.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/register/rigid_place.h"
#include "ui/desk/place_handles.h"

namespace tof::ui {

namespace {

constexpr double kRingShare = 0.36;  ///< radius of the ring, of the shorter side
constexpr double kRingGrab = 8;      ///< px beside the ring that take it
constexpr double kCross = 13;        ///< px from the middle to the tips of the cross, which take it
constexpr double kTip = 5;           ///< px, size of its arrow heads

double ringRadius(QSize picture) {
    return kRingShare * std::min(picture.width(), picture.height());
}

double screenAngle_rad(QPointF p) {
    return std::atan2(p.y(), p.x());
}

/// Directions of the world that point to the right of a picture, down in it, and away from who looks at it:
/// a turn about the last one by a positive angle is clockwise.
struct Facing {
    Vec3 right, down, away;
};

Facing facing(const PlaneMap& map) {
    const Vec3 origin = map.toWorld({0, 0});
    const Vec3 right = map.toWorld({1, 0}) - origin;
    const Vec3 down = map.toWorld({0, 1}) - origin;
    const Facing unit{(1 / norm(right)) * right, (1 / norm(down)) * down, {}};
    return {unit.right, unit.down, cross(unit.right, unit.down)};
}

Pose shifted(Vec3 by) {
    Pose pose;
    pose.shift = by;
    return pose;
}

QPainterPath arrowCross(QPointF at) {
    QPainterPath path;
    for (const QPointF& way : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)}) {
        const QPointF beside(-way.y(), way.x());
        const QPointF tip = at + kCross * way;
        path.moveTo(at);
        path.lineTo(tip);
        path.moveTo(tip - kTip * (way + beside));
        path.lineTo(tip);
        path.lineTo(tip - kTip * (way - beside));
    }
    return path;
}

}  // namespace

PlaceGrip placeGripAt(const PlaneMap& map, const PlaceHandles& handles, QSize picture, QPointF at) {
    if (!handles.shown()) {
        return PlaceGrip::None;
    }
    const QPointF from = at - map.toWidget(handles.pivot());
    const double far = std::hypot(from.x(), from.y());
    return far <= kCross                                      ? PlaceGrip::Cross
           : std::abs(far - ringRadius(picture)) <= kRingGrab ? PlaceGrip::Ring
                                                              : PlaceGrip::None;
}

Pose placeDragged(const PlaneMap& map, const PlaceHandles& handles, PlaceGrip grip, QPointF from, QPointF to,
                  double step_deg) {
    if (grip == PlaceGrip::Cross) {
        return shifted(map.toWorld(to) - map.toWorld(from));
    }
    const QPointF middle = map.toWidget(handles.pivot());
    double by = std::remainder(screenAngle_rad(to - middle) - screenAngle_rad(from - middle), 2 * kPi);
    const double step = step_deg * kRadPerDeg;
    by = step > 0 ? step * std::round(by / step) : by;
    return smallMotion(by * facing(map).away, {}, handles.pivot());
}

std::optional<Pose> placeByKey(const PlaneMap& map, const PlaceHandles& handles, const QKeyEvent& event) {
    if (!handles.shown() || !(event.modifiers() & Qt::AltModifier)) {
        return std::nullopt;
    }
    constexpr double kFar = 10;
    const double much = event.modifiers() & Qt::ShiftModifier ? kFar : 1;
    const Facing to = facing(map);
    const auto turned = [&](double by_deg) {
        return smallMotion(much * by_deg * kRadPerDeg * to.away, {}, handles.pivot());
    };
    switch (event.key()) {
        case Qt::Key_Left: return shifted(-much * to.right);
        case Qt::Key_Right: return shifted(much * to.right);
        case Qt::Key_Up: return shifted(-much * to.down);
        case Qt::Key_Down: return shifted(much * to.down);
        case Qt::Key_PageUp: return turned(-1);
        case Qt::Key_PageDown: return turned(1);
        default: return std::nullopt;
    }
}

void paintPlaceMarks(QPainter& painter, const PlaneMap& map, const PlaceHandles& handles, QSize picture,
                     MarkGround ground) {
    if (!handles.shown()) {
        return;
    }
    const QPointF middle = map.toWidget(handles.pivot());
    QPainterPath path = arrowCross(middle);
    path.addEllipse(middle, ringRadius(picture), ringRadius(picture));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.strokePath(path, QPen(markHalo(ground), 4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.strokePath(path, QPen(markInk(ground), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.restore();
}

}  // namespace tof::ui
