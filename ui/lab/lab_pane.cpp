// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/lab_pane.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/kit/basic.h"
#include "ui/kit/label_placer.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr QPointF kName{8, 18};  ///< where the plane's name begins
constexpr double kReach = 9;     ///< px around a source that hold it

/// One step of an arrow key, x to the right and y downwards; null for other keys.
QPoint arrowOf(int key) {
    switch (key) {
        case Qt::Key_Left: return {-1, 0};
        case Qt::Key_Right: return {1, 0};
        case Qt::Key_Up: return {0, -1};
        case Qt::Key_Down: return {0, 1};
        default: return {};
    }
}

}  // namespace

LabPane::LabPane(Plane plane, KernelLab& lab, LabView& view, LabPaneSource source, QWidget* parent)
    : QWidget(parent), plane_(plane), lab_(lab), view_(view), source_(std::move(source)) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setCursor(Qt::CrossCursor);
    setMouseTracking(true);
}

viz::SliceView LabPane::sliceView(double ratio) const {
    viz::SliceView v;
    v.plane = plane_;
    v.orientation = view_.orientation;
    v.centre = view_.middle;
    const int normal = viz::planeAxes(plane_, v.orientation).normal;
    viz::setCoordinate(v.centre, normal, viz::coordinate(lab_.cursor(), normal));
    v.mmPerPixel = scale_ / ratio;
    v.width = std::max(1, static_cast<int>(std::lround(width() * ratio)));
    v.height = std::max(1, static_cast<int>(std::lround(height() * ratio)));
    return v;
}

int LabPane::pointAt(QPointF position) const {
    int best = -1;
    double nearest = kReach;
    for (int i = 0; i < static_cast<int>(lab_.points().size()); ++i) {
        const QPointF d = toWidget(lab_.points()[static_cast<std::size_t>(i)]) - position;
        const double distance = std::hypot(d.x(), d.y());
        if (distance < nearest || (distance < kReach && i == lab_.selectedPoint())) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

void LabPane::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto volume = source_.volume();
    const viz::ColourMap map = source_.map();
    const MarkGround under = groundOf(map);
    if (volume == nullptr) {
        const viz::Rgb ground = map.zero();
        painter.fillRect(rect(), QColor(ground.r, ground.g, ground.b));
        painter.setPen(markInk(under));
        painter.setFont(smallFont());
        painter.drawText(rect().adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         source_.empty());
        Q_EMIT painted();
        return;
    }
    viz::SliceRequest request;
    request.volume = volume;
    request.view = sliceView(devicePixelRatioF());
    if (view_.mip) {
        const int normal = viz::planeAxes(plane_, view_.orientation).normal;
        viz::setCoordinate(request.view.centre, normal, viz::coordinate(volume->lattice.origin_mm, normal));
    }
    const DisplayRange range = source_.range();
    request.low = range.low;
    request.high = range.high;
    request.map = map;
    painter.drawImage(0, 0, imageOn(pipeline_.render(request), devicePixelRatioF()));
    if (view_.annotations) {
        drawCrosshair(painter, size(), toWidget(lab_.cursor()), under);
        paintSources(painter, under);
        drawEdgeLetters(painter, size(), viz::edgeLetters(plane_, view_.orientation), toWidget(lab_.cursor()),
                        under);
        if (source_.scaleBar) {
            drawScaleBar(painter, size(), scale_, under);
        }
    }
    if (!source_.name.isEmpty()) {
        drawOutlined(painter, kName, nameText(), smallFont(QFont::DemiBold), under);
    }
    drawFocusFrame(*this, painter);
    Q_EMIT painted();
}

void LabPane::paintSources(QPainter& painter, MarkGround ground) const {
    if (lab_.projectsImage()) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const std::vector<QRectF> places = labelRects();
    const QFont font = smallFont(QFont::Medium);
    for (int i = 0; i < static_cast<int>(lab_.points().size()); ++i) {
        const QPointF at = toWidget(lab_.points()[static_cast<std::size_t>(i)]);
        if (i == lab_.selectedPoint()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(markHalo(ground), 3));
            painter.drawEllipse(at, 6, 6);
            painter.setPen(QPen(markInk(ground), 1.25));
            painter.drawEllipse(at, 6, 6);
        }
        const QRectF& place = places[static_cast<std::size_t>(i)];
        drawOutlined(painter, place.bottomLeft() - QPointF(0, QFontMetricsF(font).descent()),
                     QString::number(i + 1), font, ground);
    }
}

QRectF LabPane::nameRect() const {
    const QFontMetricsF metrics(smallFont(QFont::DemiBold));
    return {kName.x(), kName.y() - metrics.ascent(), metrics.horizontalAdvance(nameText()), metrics.height()};
}

std::vector<QRectF> LabPane::labelRects() const {
    const QFontMetricsF metrics(smallFont(QFont::Medium));
    std::vector<QPointF> marks;
    std::vector<QSizeF> sizes;
    for (std::size_t i = 0; i < lab_.points().size(); ++i) {
        marks.push_back(toWidget(lab_.points()[i]));
        // Digits have no descent, but it keeps lines of numbers apart.
        sizes.emplace_back(metrics.horizontalAdvance(QString::number(i + 1)), metrics.height());
    }
    return labelPlaces(marks, sizes, rect(), nameRect());
}

// ---- mouse and keys ----

void LabPane::mousePressEvent(QMouseEvent* event) {
    last_ = event->position();
    if (event->button() != Qt::LeftButton || lab_.projectsImage()) {
        return;
    }
    held_ = pointAt(event->position());
    if (held_ < 0) {
        held_ = lab_.addPoint(toWorld(event->position()));
    }
    heldFrom_ = lab_.points()[static_cast<std::size_t>(held_)];
    lab_.selectPoint(held_);
    lab_.endEdit();
}

void LabPane::mouseMoveEvent(QMouseEvent* event) {
    if (held_ >= 0 && (event->buttons() & Qt::LeftButton)) {
        Vec3 to = toWorld(event->position());
        const int normal = viz::planeAxes(plane_, view_.orientation).normal;
        viz::setCoordinate(to, normal, viz::coordinate(heldFrom_, normal));
        lab_.movePoint(held_, to, Edit::Dragging);
    } else if (event->buttons() & Qt::MiddleButton) {
        view_.middle = view_.middle + toWorld(last_) - toWorld(event->position());
        Q_EMIT viewChanged();
    } else if (event->buttons() == Qt::NoButton) {
        const int point = pointAt(event->position());
        setCursor(point >= 0 ? Qt::SizeAllCursor : Qt::CrossCursor);
    }
    last_ = event->position();
}

void LabPane::mouseReleaseEvent(QMouseEvent*) {
    held_ = -1;
    lab_.endEdit();
}

bool LabPane::abandonDrag() {
    if (held_ < 0) {
        return false;
    }
    lab_.movePoint(held_, heldFrom_, Edit::Dragging);
    lab_.endEdit();
    held_ = -1;
    return true;
}

void LabPane::wheelEvent(QWheelEvent* event) {
    const int delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    if (event->modifiers() & Qt::ControlModifier) {
        const Vec3 fixed = toWorld(event->position());
        const double before = view_.zoom;
        view_.zoom = std::clamp(view_.zoom * std::pow(1.2, delta / 120.0), 1.0, 40.0);
        view_.middle = fixed + (before / view_.zoom) * (view_.middle - fixed);
        Q_EMIT viewChanged();
    } else {
        wheelRest_ += delta;
        const int steps = wheelRest_ / 120;
        wheelRest_ -= steps * 120;
        const int normal = viz::planeAxes(plane_, view_.orientation).normal;
        const double spacing = lab_.lattice().spacing_mm[static_cast<std::size_t>(normal)];
        Vec3 cursor = lab_.cursor();
        viz::setCoordinate(cursor, normal,
                           viz::coordinate(cursor, normal) +
                               spacing * steps * (event->modifiers() & Qt::ShiftModifier ? 10 : 1));
        lab_.setCursor(cursor);
    }
    event->accept();
}

bool LabPane::event(QEvent* event) {
    // These keys belong to the sources here, not to the window's shortcuts.
    return claimsKey(*event, {Qt::Key_Delete, Qt::Key_Insert, Qt::Key_Left, Qt::Key_Right, Qt::Key_Up,
                              Qt::Key_Down}) ||
           QWidget::event(event);
}

/// The selected source, or without one the cursor, by voxels of this plane.
void LabPane::nudge(QPoint arrow, int voxels) {
    const viz::PlaneAxes axes = viz::planeAxes(plane_, view_.orientation);
    const auto& h = lab_.lattice().spacing_mm;
    const int point = lab_.projectsImage() ? -1 : lab_.selectedPoint();
    Vec3 to = point >= 0 ? lab_.points()[static_cast<std::size_t>(point)] : lab_.cursor();
    const auto move = [&](int axis, double sign, int steps) {
        viz::setCoordinate(
            to, axis, viz::coordinate(to, axis) + sign * steps * voxels * h[static_cast<std::size_t>(axis)]);
    };
    move(axes.across, axes.acrossSign, arrow.x());
    move(axes.down, axes.downSign, arrow.y());
    if (point >= 0) {
        lab_.movePoint(point, to);
    } else {
        lab_.setCursor(to);
    }
}

void LabPane::keyPressEvent(QKeyEvent* event) {
    const QPoint arrow = arrowOf(event->key());
    if (event->key() == Qt::Key_Delete) {
        lab_.removePoint(lab_.selectedPoint());
    } else if (event->key() == Qt::Key_Insert && !lab_.projectsImage()) {
        static_cast<void>(lab_.addPoint(lab_.cursor()));
    } else if (arrow != QPoint()) {
        nudge(arrow, event->modifiers() & Qt::ShiftModifier ? 10 : 1);
    } else {
        QWidget::keyPressEvent(event);
    }
}

}  // namespace tof::ui
