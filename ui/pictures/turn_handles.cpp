// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/turn_handles.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "ui/desk/view_model.h"

namespace tof::ui {

namespace {

constexpr double kTurnGrab = 9;       ///< px around a handle that take it
constexpr double kTurnHandle = 5;     ///< px, radius of a handle
constexpr double kFromCursor = 0.38;  ///< a share of the shorter side

/// Where an axis of the planes points in a picture, as pixels per mm.
QPointF onScreen(const PlaneMap& map, const ViewModel& view, int axis) {
    const Vec3 unit = view.turn().axes[static_cast<std::size_t>(axis)];
    return map.toWidget(view.cursor() + unit) - map.toWidget(view.cursor());
}

double angle_deg(QPointF p) {
    return std::atan2(p.y(), p.x()) / kRadPerDeg;
}

}  // namespace

double crosshairAngle_deg(const PlaneMap& map, const ViewModel& view) {
    const int across = viz::planeAxes(map.plane(), view.orientation()).across;
    return std::remainder(angle_deg(onScreen(map, view, across)), 90);
}

void drawTurnedCrosshair(QPainter& painter, QSize picture, QPointF at, double angle_deg, MarkGround ground) {
    constexpr double kStraight_deg = 1e-3;
    if (std::abs(angle_deg) < kStraight_deg) {
        drawCrosshair(painter, picture, at, ground);
        return;
    }
    const int reach = 2 * std::max(picture.width(), picture.height());
    painter.save();
    painter.translate(at);
    painter.rotate(angle_deg);
    painter.translate(-reach, -reach);
    drawCrosshair(painter, {2 * reach, 2 * reach}, QPointF(reach, reach), ground);
    painter.restore();
}

std::vector<QPointF> turnHandles(const PlaneMap& map, const ViewModel& view, QSize picture) {
    if (!view.flag(ViewModel::Flag::Turning)) {
        return {};
    }
    const QPointF cursor = map.toWidget(view.cursor());
    const double reach = kFromCursor * std::min(picture.width(), picture.height());
    const double first = crosshairAngle_deg(map, view);
    std::vector<QPointF> handles;
    for (int quarter = 0; quarter < 4; ++quarter) {
        const double at = (first + 90 * quarter) * kRadPerDeg;
        handles.push_back(cursor + reach * QPointF(std::cos(at), std::sin(at)));
    }
    return handles;
}

void paintTurnHandles(QPainter& painter, const std::vector<QPointF>& handles, MarkGround ground) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(markHalo(ground), 2));
    painter.setBrush(markInk(ground));
    for (const QPointF at : handles) {
        painter.drawEllipse(at, kTurnHandle, kTurnHandle);
    }
}

bool isOnHandle(const std::vector<QPointF>& handles, QPointF at) {
    return std::any_of(handles.begin(), handles.end(), [at](QPointF handle) {
        return std::hypot(at.x() - handle.x(), at.y() - handle.y()) <= kTurnGrab;
    });
}

viz::Turn turnedBy(const viz::Turn& before, const PlaneMap& map, const ViewModel& view, QPointF from,
                   QPointF to, double step_deg) {
    const QPointF cursor = map.toWidget(view.cursor());
    double by = angle_deg(to - cursor) - angle_deg(from - cursor);
    by = step_deg > 0 ? step_deg * std::round(by / step_deg) : by;
    // Positive is from the first of the other two axes to the second, which is clockwise in some pictures.
    const int normal = viz::planeAxes(map.plane(), view.orientation()).normal;
    const QPointF first = onScreen(map, view, (normal + 1) % 3);
    const QPointF second = onScreen(map, view, (normal + 2) % 3);
    const bool clockwise = first.x() * second.y() - first.y() * second.x() > 0;
    return before.about(normal, (clockwise ? by : -by) * kRadPerDeg);
}

}  // namespace tof::ui
