// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/roi_overlay.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "ui/kit/picture_marks.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/rois/roi_list.h"

namespace tof::ui {

namespace {

constexpr double kRoiGrab = 7;          ///< px around a handle
constexpr double kGrabLine = 10;        ///< px, width of the band around an outline
constexpr double kOverlayHandle = 7;    ///< px, side of a handle
constexpr double kHandleDistance = 11;  ///< px, least distance from the middle of the ROI
constexpr double kStill = 3;            ///< px that a click may wander

/// The square of a handle, or of a vertex.
QRectF handleBox(QPointF at) {
    return {at.x() - kOverlayHandle / 2, at.y() - kOverlayHandle / 2, kOverlayHandle, kOverlayHandle};
}

double length(QPointF p) {
    return std::hypot(p.x(), p.y());
}

bool has(Qt::KeyboardModifiers keys, Qt::KeyboardModifiers any) {
    return (keys & any) != Qt::NoModifier;
}

/// Draws from the centre unless Alt or Ctrl is held; window managers often keep Alt for themselves.
DragMode drawMode(Qt::KeyboardModifiers keys) {
    return {!has(keys, Qt::AltModifier | Qt::ControlModifier), has(keys, Qt::ShiftModifier)};
}

DragMode shapeMode(Qt::KeyboardModifiers keys) {
    return {has(keys, Qt::AltModifier | Qt::ControlModifier), has(keys, Qt::ShiftModifier)};
}

QPen penOf(const Roi& roi, const QColor& colour) {
    QPen pen(colour, 1.6);
    if (lineOf(roi) == Roi::Dash::Dashed) {
        pen.setDashPattern({4, 2.5});
    } else if (lineOf(roi) == Roi::Dash::Dotted) {
        pen.setDashPattern({1.2, 1.8});
    }
    return pen;
}

/// What is written beside an ROI: the number alone where the role says the rest.
QString labelOf(const Roi& roi, bool selected) {
    QString name = QString::fromStdString(roi.name);
    if (roi.role == Roi::Role::None || (selected && roi.role != Roi::Role::Sphere)) {
        return name;
    }
    return roi.role == Roi::Role::Sphere ? name.section(' ', -1) : QString();
}

/// Whether one of a region's thousands of short lines can be taken hold of at a place in the widget; to
/// stroke them all takes longer than the mouse moves.
bool linesPassBy(const QPainterPath& lines, const QTransform& map, QPointF at) {
    QPointF from;
    for (int i = 0; i < lines.elementCount(); ++i) {
        const QPainterPath::Element element = lines.elementAt(i);
        const QPointF to = map.map(QPointF(element));
        if (element.isLineTo()) {
            const QPointF line = to - from;
            const double square = QPointF::dotProduct(line, line);
            const double share = square > 0 ? QPointF::dotProduct(at - from, line) / square : 0;
            if (length(at - (from + std::clamp(share, 0.0, 1.0) * line)) <= kGrabLine / 2) {
                return true;
            }
        }
        from = to;
    }
    return false;
}

}  // namespace

RoiOverlay::RoiOverlay(QWidget& canvas, const PlaneMap& map, RoiModel& model, ViewModel& view)
    : canvas_(canvas), map_(map), model_(model), view_(view) {
    QObject::connect(&model, &RoiModel::toolChanged, &canvas, [this] {
        if (model_.tool() != Roi::Shape::Polygon) {
            points_.clear();  // another tool ends the polygon that was begun
        }
    });
}

QTransform RoiOverlay::toWidget() const {
    const RoiView view = roiView();
    const viz::PlaneAxes axes = view.axes();
    const QPointF origin = map_.toWidget({0, 0, 0});
    Vec3 unit;
    viz::setCoordinate(unit, axes.across, 1);
    viz::setCoordinate(unit, axes.down, 1);
    const QPointF one = map_.toWidget(view.turn.toWorld(unit)) - origin;
    return {one.x(), 0, 0, one.y(), origin.x(), origin.y()};
}

bool RoiOverlay::shown(const RoiModel& model, int index) {
    const Roi* roi = model.at(index);
    const Roi* selected = model.selectedRoi();
    // Rings around every sphere would hide the picture: the selected sphere shows its own.
    return roi != nullptr && (roi->role != Roi::Role::Background || roi->group < 0 || roi == selected ||
                              (selected != nullptr && selected->group == roi->group));
}

std::vector<std::pair<RoiHandle, QPointF>> RoiOverlay::handles() const {
    std::vector<std::pair<RoiHandle, QPointF>> list;
    const Roi* roi = model_.selectedRoi();
    if (roi == nullptr || roi->locked || !shown(model_, model_.selected())) {
        return list;
    }
    const QPointF middle = map_.toWidget(roi->centre);
    for (const RoiHandle& handle : roiHandles(*roi, roiView())) {
        QPointF at = map_.toWidget(handle.at);
        const QPointF away = at - middle;
        const bool crowds = handle.kind != RoiHandle::Kind::Vertex && length(away) < kHandleDistance;
        if (crowds && length(away) > 0) {
            at = middle + kHandleDistance / length(away) * away;
        }
        list.emplace_back(handle, at);
    }
    return list;
}

bool RoiOverlay::touches(int index, QPointF at) const {
    if (!shown(model_, index)) {
        return false;
    }
    const Roi& roi = *model_.at(index);
    const QPainterPath path = section(roi);
    const QTransform map = toWidget();
    if (path.isEmpty() ||
        !map.mapRect(path.boundingRect()).adjusted(-kRoiGrab, -kRoiGrab, kRoiGrab, kRoiGrab).contains(at)) {
        return false;
    }
    if (roi.shape == Roi::Shape::Region) {
        return linesPassBy(path, map, at);
    }
    QPainterPathStroker stroker;
    stroker.setWidth(kGrabLine);
    return stroker.createStroke(map.map(path)).contains(at);
}

RoiOverlay::Hit RoiOverlay::hit(QPointF at) const {
    Hit found;
    double nearest = kRoiGrab;
    for (const auto& [handle, place] : handles()) {
        if (length(place - at) <= nearest) {
            nearest = length(place - at);
            found = {model_.selected(), handle};
        }
    }
    if (found.handle) {
        return found;
    }
    // The selected one first: it lies on top.
    if (model_.selected() >= 0 && touches(model_.selected(), at)) {
        return {model_.selected(), {}};
    }
    for (int i = model_.count() - 1; i >= 0; --i) {
        if (touches(i, at)) {
            return {i, {}};
        }
    }
    return {};
}

void RoiOverlay::hover(QPointF at) {
    pointer_ = at;
    if (model_.tool()) {
        canvas_.setCursor(Qt::CrossCursor);
        if (drawingPolygon() || model_.tool() == Roi::Shape::Region) {
            canvas_.update();
        }
        return;
    }
    const Hit under = editable() ? hit(at) : Hit{};
    const bool mine = under.roi >= 0 && under.roi == model_.selected();
    if (mine && under.handle && under.handle->kind == RoiHandle::Kind::Vertex) {
        vertex_ = under.handle->vertex;
    }
    canvas_.setCursor(under.roi < 0                           ? Qt::CrossCursor
                      : !mine || model_.at(under.roi)->locked ? Qt::PointingHandCursor
                      : under.handle                          ? Qt::SizeFDiagCursor
                                                              : Qt::SizeAllCursor);
}

bool RoiOverlay::press(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || doing_ != Doing::Nothing) {
        return doing_ != Doing::Nothing;
    }
    start_ = pointer_ = event.position();
    moved_ = false;
    const bool solid = model_.tool() == Roi::Shape::Sphere || model_.tool() == Roi::Shape::Region;
    if (model_.tool() && !solid && !roiView().turn.isNone()) {
        QToolTip::showText(
            event.globalPosition().toPoint(),
            Text::tr("In an oblique picture only spheres are drawn: straighten the planes first"), &canvas_);
        return true;
    }
    if (model_.tool() == Roi::Shape::Polygon) {
        if (points_.size() >= 3 && length(map_.toWidget(points_.front()) - start_) <= kRoiGrab) {
            return finish();
        }
        points_.push_back(map_.toWorld(start_));
        canvas_.update();
        return true;
    }
    if (model_.tool() == Roi::Shape::Region) {
        doing_ = Doing::Brushing;
        brushUse_ =
            has(event.modifiers(), Qt::AltModifier | Qt::ControlModifier) ? BrushUse::Remove : BrushUse::Add;
        brushed_ = map_.toWorld(start_);
        brush(start_);
        return true;
    }
    if (model_.tool()) {
        doing_ = Doing::Drawing;
        return true;
    }
    const Hit under = editable() ? hit(start_) : Hit{};
    if (under.roi < 0) {
        return false;
    }
    const Roi& roi = *model_.at(under.roi);
    if (under.roi != model_.selected()) {
        view_.selectRoi(under.roi);  // a second press drags: nothing moves by accident
        return true;
    }
    if (roi.locked) {
        return false;
    }
    origin_ = roi;
    doing_ = under.handle ? Doing::Shaping : Doing::Moving;
    if (under.handle) {
        handle_ = *under.handle;
        vertex_ = handle_.vertex;
    }
    model_.beginDrag((!under.handle                                  ? Text::tr("Move %1")
                      : under.handle->kind == RoiHandle::Kind::Angle ? Text::tr("Turn %1")
                                                                     : Text::tr("Resize %1"))
                         .arg(QString::fromStdString(roi.name)));
    return true;
}

void RoiOverlay::draw(QPointF to, Qt::KeyboardModifiers keys) {
    Roi roi = drawnRoi(*model_.tool(), roiView(), map_.toWorld(start_), map_.toWorld(to), drawMode(keys));
    if (!model_.dragging()) {
        roi = named(roi);
        model_.beginDrag(Text::tr("Draw %1").arg(QString::fromStdString(roi.name)));
        model_.dragAdd(roi);
    } else {
        roi.name = model_.rois().back().name;
        model_.dragTo(model_.count() - 1, roi);
    }
}

void RoiOverlay::brush(QPointF to) {
    const Vec3 from = brushed_;
    brushed_ = map_.toWorld(to);
    const double radius_mm = model_.lastDrawn(Roi::Shape::Region).radius_mm;
    const Roi* selected = model_.selectedRoi();
    const bool goesOn = selected != nullptr && selected->region != nullptr && !selected->locked &&
                        selected->region->lattice == view_.lattice() &&
                        selected->centre == selected->region->home_mm;
    if (!goesOn && brushUse_ == BrushUse::Remove) {
        return;
    }
    Roi begun;
    begun.shape = Roi::Shape::Region;
    Roi roi = goesOn ? *selected : named(begun);
    // Balls so near to each other that a quick drag leaves no gap.
    const int balls = 1 + static_cast<int>(2 * norm(brushed_ - from) / radius_mm);
    for (int i = 1; i <= balls; ++i) {
        const Vec3 at = from + (static_cast<double>(i) / balls) * (brushed_ - from);
        roi = brushed(roi, view_.lattice(), {at, radius_mm, brushUse_});
    }
    if (roi.region == nullptr) {
        return;  // its last voxels stay: Delete takes a region away
    }
    if (!model_.dragging()) {
        model_.beginDrag(Text::tr("Paint %1").arg(QString::fromStdString(roi.name)));
    }
    goesOn ? model_.dragTo(model_.selected(), roi) : model_.dragAdd(roi);
}

bool RoiOverlay::move(const QMouseEvent& event) {
    const QPointF at = event.position();
    if (doing_ == Doing::Nothing) {
        if (event.buttons() == Qt::NoButton) {
            hover(at);
        }
        return drawingPolygon() && event.buttons() == Qt::LeftButton;
    }
    moved_ = moved_ || length(at - start_) > kStill;
    if (doing_ == Doing::Brushing) {
        pointer_ = at;
        brush(at);
        return true;
    }
    if (doing_ != Doing::Drawing && !model_.dragging()) {
        doing_ = Doing::Nothing;  // something else put it back
        return true;
    }
    if (!moved_) {
        return true;
    }
    const Vec3 from = map_.toWorld(start_);
    const Vec3 to = map_.toWorld(at);
    switch (doing_) {
        case Doing::Drawing: draw(at, event.modifiers()); break;
        case Doing::Moving: model_.dragTo(model_.selected(), translated(origin_, to - from)); break;
        case Doing::Shaping:
            model_.dragTo(model_.selected(), withHandleMoved(origin_, handle_, roiView(), from, to,
                                                             shapeMode(event.modifiers())));
            break;
        case Doing::Brushing:
        case Doing::Nothing: break;
    }
    return true;
}

bool RoiOverlay::release(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || doing_ == Doing::Nothing) {
        return event.button() == Qt::LeftButton && drawingPolygon();
    }
    const Doing done = doing_;
    doing_ = Doing::Nothing;
    if (done == Doing::Drawing) {
        if (model_.dragging()) {
            model_.rememberDrawn(model_.rois().back());
            model_.endDrag();
        } else if (model_.tool()) {
            // A click: once more what was drawn last.
            const Roi last = model_.lastDrawn(*model_.tool());
            Roi roi = named(translated(last, map_.toWorld(start_) - last.centre));
            roi.plane = map_.plane();
            model_.add({roi}, Text::tr("Draw %1").arg(QString::fromStdString(roi.name)));
        }
        model_.setTool(std::nullopt);
    } else if (model_.dragging()) {
        model_.endDrag();
    }
    return true;
}

bool RoiOverlay::doubleClick(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton) {
        return false;
    }
    if (model_.tool()) {
        static_cast<void>(finish());
        return true;
    }
    const Hit under = editable() ? hit(event.position()) : Hit{};
    if (under.roi < 0 || under.roi != model_.selected()) {
        return false;
    }
    // The first press of the double-click has begun a drag.
    model_.endDrag();
    doing_ = Doing::Nothing;
    const Roi& roi = *model_.at(under.roi);
    if (roi.shape == Roi::Shape::Polygon && !roi.locked && !under.handle && roi.plane == map_.plane() &&
        roiView().turn.isNone()) {
        model_.change(under.roi, withVertexAdded(roi, roiView(), map_.toWorld(event.position())),
                      Text::tr("Add vertex to %1").arg(QString::fromStdString(roi.name)));
    }
    return true;
}

bool RoiOverlay::finish() {
    if (points_.size() < 3) {
        return false;
    }
    Roi roi;
    roi.shape = Roi::Shape::Polygon;
    roi.plane = map_.plane();
    roi.vertices = std::move(points_);
    points_.clear();
    const auto box = roiBounds(roi);
    roi.centre = 0.5 * (box[0] + box[1]);
    roi = named(roi);
    model_.add({roi}, Text::tr("Draw %1").arg(QString::fromStdString(roi.name)));
    model_.setTool(std::nullopt);
    canvas_.update();
    return true;
}

bool RoiOverlay::stepBack() {
    if (points_.empty()) {
        return false;
    }
    points_.pop_back();
    canvas_.update();
    return true;
}

bool RoiOverlay::removeVertex() {
    const Roi* roi = model_.selectedRoi();
    if (roi == nullptr || roi->locked || roi->shape != Roi::Shape::Polygon || roi->vertices.size() <= 3 ||
        vertex_ < 0 || vertex_ >= static_cast<int>(roi->vertices.size())) {
        return false;
    }
    model_.change(model_.selected(), withVertexRemoved(*roi, vertex_),
                  Text::tr("Delete vertex of %1").arg(QString::fromStdString(roi->name)));
    vertex_ = -1;
    return true;
}

bool RoiOverlay::abandon() {
    if (doing_ == Doing::Nothing && !drawingPolygon()) {
        return false;  // the model is shared: a drag under way is another picture's
    }
    doing_ = Doing::Nothing;
    points_.clear();
    static_cast<void>(model_.abandonDrag());
    canvas_.update();
    return true;
}

void RoiOverlay::paint(QPainter& painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = 0; i < model_.count(); ++i) {
        if (i != model_.selected() && shown(model_, i)) {
            paintRoi(painter, i);
        }
    }
    if (model_.selected() >= 0) {
        paintRoi(painter, model_.selected());
        paintHandles(painter);
    }
    if (drawingPolygon()) {
        paintPolygon(painter);
    }
    if (model_.tool() == Roi::Shape::Region && canvas_.underMouse()) {
        paintBrush(painter);
    }
    regions_.forgetUnused();  // a region that is dragged or painted leaves many outlines behind
    painter.restore();
}

void RoiOverlay::paintRoi(QPainter& painter, int index) const {
    const Roi& roi = *model_.at(index);
    const bool selected = index == model_.selected();
    const bool fromTheSide = isFlat(roi.shape) && roi.plane != map_.plane();
    if (fromTheSide && roi.role == Roi::Role::Background && !selected) {
        return;
    }
    const QPainterPath path = outline(roi);
    if (path.isEmpty() || !path.boundingRect().intersects(QRectF(canvas_.rect()).adjusted(-4, -4, 4, 4))) {
        return;
    }
    const Theme& theme = Theme::of(canvas_);
    const QColor own = roi.colour.empty() ? theme.roi : QColor(QString::fromStdString(roi.colour));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.roiHalo, 3.4));
    painter.drawPath(path);
    painter.setPen(penOf(roi, selected ? theme.roiSelected : own));
    painter.drawPath(path);
    const QString label = labelOf(roi, selected);
    if (!fromTheSide && !label.isEmpty()) {
        const QRectF box = path.boundingRect();
        const QPointF corner(box.center().x() + 0.36 * box.width() + 5,
                             box.center().y() - 0.36 * box.height() - 1);
        drawOutlined(painter, corner, label, smallFont(QFont::Medium), theme.roiLabel, theme.roiHalo);
    }
}

/// The circle that the brush's ball cuts out of the slice.
void RoiOverlay::paintBrush(QPainter& painter) const {
    const double radius = model_.lastDrawn(Roi::Shape::Region).radius_mm * std::abs(toWidget().m11());
    const Theme& theme = Theme::of(canvas_);
    painter.setBrush(Qt::NoBrush);
    for (const QPen& pen : {QPen(theme.roiHalo, 3.4), QPen(theme.roiSelected, 1.6)}) {
        painter.setPen(pen);
        painter.drawEllipse(pointer_, radius, radius);
    }
}

void RoiOverlay::paintHandles(QPainter& painter) const {
    const Theme& theme = Theme::of(canvas_);
    painter.setPen(QPen(theme.roiHalo, 1.5));
    painter.setBrush(theme.roiSelected);
    for (const auto& [handle, at] : handles()) {
        if (handle.kind == RoiHandle::Kind::Angle) {
            painter.drawEllipse(handleBox(at).adjusted(-0.5, -0.5, 0.5, 0.5));
        } else {
            painter.drawRect(handleBox(at));
        }
    }
}

void RoiOverlay::paintPolygon(QPainter& painter) const {
    const Theme& theme = Theme::of(canvas_);
    QPolygonF line;
    for (const Vec3 p : points_) {
        line << map_.toWidget(p);
    }
    line << pointer_;
    painter.setBrush(Qt::NoBrush);
    for (const QPen& pen : {QPen(theme.roiHalo, 3.4), QPen(theme.roiSelected, 1.6)}) {
        painter.setPen(pen);
        painter.drawPolyline(line);
    }
    painter.setPen(QPen(theme.roiHalo, 1.5));
    painter.setBrush(theme.roiSelected);
    for (int i = 0; i + 1 < line.size(); ++i) {
        painter.drawRect(handleBox(line[i]));
    }
}

}  // namespace tof::ui
