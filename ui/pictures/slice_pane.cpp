// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/slice_pane.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/desk/annotations.h"
#include "ui/desk/layers.h"
#include "ui/desk/open_study.h"
#include "ui/desk/place_handles.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/basic.h"
#include "ui/kit/theme.h"
#include "ui/kit/undo_step.h"
#include "ui/pictures/turn_handles.h"

namespace tof::ui {

namespace {

constexpr double kDragDistance = 3;  // pixels that make a drag of a press

/// Values at top, middle and bottom of a colour bar, and their unit.
std::array<QString, 4> barText(const viz::SliceRequest& drawn, const DisplayUnit& unit) {
    const auto text = [&](double stored) { return compactNumber(unit.shown(stored), 3); };
    return {text(drawn.high), text((drawn.low + drawn.high) / 2), text(drawn.low), unitWord(unit)};
}

constexpr int kRoomForNames = 300;  ///< pixels of width below which the orientation is not named
constexpr double kPaneGrab = 9;     ///< px around an end of the profile line that take it

/// A sinogram has the distance from the axis in mm across, and 180 degrees of azimuth down.
void drawAzimuths(QPainter& painter, const PlaneMap& map, const Box& box, QSize picture, MarkGround ground) {
    const QFont font = smallFont(QFont::Medium);
    const QFontMetricsF metrics(font);
    const QPointF first = map.toWidget(box.low);
    const QPointF last = map.toWidget(box.high);
    const double x = std::max(0.0, std::min(first.x(), last.x())) + 6;
    drawOutlined(painter, {x, picture.height() / 2.0 - 6}, SlicePane::tr("azimuth"), font, ground);
    if (first.y() >= 0) {
        const double top = std::max(first.y(), 24.0);  // below the caption
        drawOutlined(painter, {x, top + metrics.ascent()}, "0\u00b0", font, ground);
    }
    if (last.y() <= picture.height()) {
        const double bottom = std::min(last.y() - 6, picture.height() - 40.0);  // above the scale bar
        drawOutlined(painter, {x, bottom}, "180\u00b0", font, ground);
    }
}

/// The view that shows an image where it lies as `view` would once a motion has taken it away from there.
viz::SliceView seenWhereItLies(viz::SliceView view, const Pose& away) {
    const Pose back = away.inverse();
    view.centre = back.moved(view.centre);
    for (Vec3& axis : view.turn.axes) {
        axis = back.turned(axis);
    }
    return view;
}

}  // namespace

SlicePane::SlicePane(Plane plane, const PictureModels& models, QWidget* parent)
    : QWidget(parent),
      plane_(plane),
      models_(models),
      rois_(*this, *this, models.rois, models.view),
      annotations_(*this, *this, models.annotations, models.view) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(80, 60);
    const QString names[] = {tr("Transverse"), tr("Coronal"), tr("Sagittal")};
    const char* ids[] = {"pane.transverse", "pane.coronal", "pane.sagittal"};
    setObjectName(ids[static_cast<int>(plane)]);
    setAccessibleName(tr("%1 picture").arg(names[static_cast<int>(plane)]));
    setCursor(Qt::CrossCursor);
    setMouseTracking(true);
    connect(&models_.handles, &PlaceHandles::changed, this, [this] {
        setCursor(Qt::CrossCursor);
        update();
    });
    source_.volume = [this]() -> std::shared_ptr<const Volume> {
        RunItem* item = models_.runs.selected();
        auto volume = models_.runs.image();
        const auto& before = drawn_.volume;
        if (volume == nullptr && item != nullptr && before != nullptr && item->lattice() == before->lattice) {
            volume = before;  // the iterate asked for is on its way from disk
        }
        return volume;
    };
    source_.range = [this] { return models_.view.range(); };
    source_.setRange = [this](DisplayRange range) { models_.view.setRange(range); };
    source_.resetRange = [this] { models_.view.resetRange(); };
    source_.autoRange = [this] { return models_.view.autoRange(); };
    source_.stepImage = [this](int step) { models_.runs.selectNext(step); };
    source_.unit = [this] { return models_.view.unit(); };
    source_.map = [this] { return models_.view.colourMap(); };
    source_.layers = [this] {
        auto layers = models_.layers.shown();
        for (ShownLayer& layer : layers) {
            // A window of its own may have another range.
            layer.range = layer.active ? models_.view.range() : layer.range;
        }
        return layers;
    };
    source_.empty = [this] {
        RunItem* item = models_.runs.selected();
        return item != nullptr && item->state() == RunState::Failed ? tr("no image: the run failed")
               : item != nullptr                                    ? tr("first image on its way")
               : models_.study.measurement() != nullptr ? tr("press Run (F5) to reconstruct the data")
               : models_.study.hasFolder()              ? tr("the data of the study are being read")
                                                        : QString();
    };
}

void SlicePane::setSource(PaneSource source) {
    const auto orAsBefore = [](auto& given, auto& before) {
        if (!given) {
            given = std::move(before);
        }
    };
    orAsBefore(source.range, source_.range);
    orAsBefore(source.setRange, source_.setRange);
    orAsBefore(source.resetRange, source_.resetRange);
    orAsBefore(source.autoRange, source_.autoRange);
    orAsBefore(source.map, source_.map);
    orAsBefore(source.stepImage, source_.stepImage);
    source_ = std::move(source);
    update();
}

SlicePane::~SlicePane() = default;

void SlicePane::setScale(double mmPerPixel) {
    if (mmPerPixel != scale_) {
        scale_ = mmPerPixel;
        update();
    }
}

void SlicePane::shareScale(const std::vector<SlicePane*>& panes, double zoom) {
    double scale = 0;
    for (const SlicePane* pane : panes) {
        scale = pane->isHidden() ? scale : std::max(scale, pane->fittingScale());
    }
    for (SlicePane* pane : panes) {
        pane->setScale(scale / zoom);
    }
}

viz::SliceView SlicePane::sliceView(double ratio) const {
    const auto pixels = [ratio](int side) {
        return std::max(1, static_cast<int>(std::lround(side * ratio)));
    };
    const ViewModel& view = models_.view;
    viz::SliceView v = view.slice(plane_, scale_ / ratio, pixels(width()), pixels(height()));
    if (!source_.anatomical()) {  // what is no space is not turned
        const int normal = viz::planeAxes(plane_, v.orientation).normal;
        v.turn = viz::Turn();
        v.centre = view.middle();
        viz::setCoordinate(v.centre, normal, viz::coordinate(view.cursor(), normal));
    }
    return v;
}

viz::SliceRequest SlicePane::requestFor(const std::shared_ptr<const Volume>& volume, double ratio) const {
    const ViewModel& view = models_.view;
    viz::SliceRequest request;
    request.volume = volume;
    request.view = sliceView(ratio);
    if (const auto away = models_.handles.away(volume.get())) {
        request.view = seenWhereItLies(request.view, *away);
    }
    const DisplayRange range = source_.range();
    request.low = range.low;
    request.high = range.high;
    request.map = source_.map();
    using Flag = ViewModel::Flag;
    request.interpolation = !view.flag(Flag::Interpolation) ? viz::Interpolation::Nearest
                            : view.flag(Flag::Cubic)        ? viz::Interpolation::Cubic
                                                            : viz::Interpolation::Linear;
    request.slab_mm = view.slabWaits(plane_) ? 0 : view.slab().thickness_mm;
    request.slabMode = view.slab().mode;
    if (request.map.diverging && request.slabMode == viz::SlabMode::Largest) {
        request.slabMode = viz::SlabMode::Strongest;  // a difference has either sign
    }
    return request;
}

/// Each image at its own place in mm; what has another lattice than the one whose slices are gone through is
/// interpolated, labels are not.
viz::SliceRequest SlicePane::requestFor(const ShownLayer& layer, const Lattice& voxels, double ratio) const {
    viz::SliceRequest request = requestFor(layer.volume, ratio);
    request.low = layer.range.low;
    request.high = layer.range.high;
    request.map = layer.map;
    request.opacity = layer.opacity;
    request.clearFirst = layer.map.id == viz::kLabelMap;
    if (request.clearFirst) {
        request.interpolation = viz::Interpolation::Nearest;
    } else if (!(layer.volume->lattice == voxels)) {
        request.interpolation = std::max(request.interpolation, viz::Interpolation::Linear);
        request.acrossSlices = true;
    }
    return request;
}

void SlicePane::paintStack(QPainter& painter, const std::vector<ShownLayer>& layers, double ratio) {
    shown_ = layers;
    stack_.clear();
    if (layers.empty()) {
        const viz::Rgb ground = source_.map().zero();
        painter.fillRect(rect(), QColor(ground.r, ground.g, ground.b));
        return;
    }
    for (const ShownLayer& layer : layers) {
        // The uppermost one shows its voxels, whichever is selected to change its look.
        stack_.push_back(requestFor(layer, layers.back().volume->lattice, ratio));
        if (layer.active || stack_.size() == 1) {
            drawn_ = stack_.back();
        }
    }
    painter.drawImage(0, 0, imageOn(pipeline_.render(stack_, layers.front().map.zero()), ratio));
}

void SlicePane::paintPictures(QPainter& painter, const std::shared_ptr<const Volume>& volume) {
    // The ratio is that of what is painted on: the screen, or a picture of more pixels for a file.
    const double ratio = painter.paintEngine()->paintDevice()->devicePixelRatioF();
    shown_.clear();
    if (source_.layers && models_.layers.stacked()) {
        paintStack(painter, source_.layers(), ratio);
        return;
    }
    drawn_ = requestFor(volume, ratio);
    painter.drawImage(0, 0, imageOn(pipeline_.render(drawn_), ratio));
    const MixKind kind = mixKind();
    if (kind != MixKind::None) {
        viz::SliceRequest second = requestFor(source_.mix->volume(), ratio);
        if (source_.mix->range) {
            const DisplayRange range = source_.mix->range();
            second.low = range.low;
            second.high = range.high;
        }
        if (source_.mix->map) {
            second.map = source_.mix->map();
        }
        paintSecond(painter, imageOn(second_.render(second), ratio), kind, source_.mix->split(), size());
    }
}

QImage SlicePane::picture() {
    const auto volume = source_.volume();
    if (volume == nullptr) {
        return {};
    }
    QImage whole(size() * devicePixelRatioF(), QImage::Format_RGB32);
    whole.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&whole);
    paintPictures(painter, volume);
    return whole;
}

void SlicePane::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ViewModel& view = models_.view;
    const auto volume = source_.volume();
    if (volume == nullptr) {
        const viz::ColourMap map = source_.map();
        const viz::Rgb ground = map.zero();
        painter.fillRect(rect(), QColor(ground.r, ground.g, ground.b));
        painter.setPen(map.darkGround() ? QColor(0xa0, 0xa0, 0xa0) : QColor(0x60, 0x60, 0x60));
        painter.setFont(textFont());
        painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, source_.empty());
        paintFrame(painter);
        return;
    }
    paintPictures(painter, volume);
    const MarkGround ground = groundOf(drawn_.map);
    if (view.flag(ViewModel::Flag::Annotations)) {
        const bool anatomical = source_.anatomical();
        if (anatomical && source_.rois && view.flag(ViewModel::Flag::Rois)) {
            rois_.paint(painter);
        }
        if (anatomical) {
            paintLine(painter);
        }
        if (view.flag(ViewModel::Flag::Crosshair)) {
            drawTurnedCrosshair(painter, size(), toWidget(view.cursor()),
                                anatomical ? crosshairAngle_deg(*this, view) : 0, ground);
        }
        if (anatomical && view.flag(ViewModel::Flag::Letters)) {
            drawEdgeLetters(painter, size(),
                            viz::edgeLetters(plane_, view.orientation(), view.turnOf(plane_)),
                            toWidget(view.cursor()), ground);
        }
        const bool first = source_.bars || plane_ == Plane::Transverse || view.layout() == Layout::Single;
        const bool says =
            source_.namesOrientation && (plane_ == Plane::Transverse || view.layout() == Layout::Single);
        if (says && anatomical && view.flag(ViewModel::Flag::Letters) && width() >= kRoomForNames) {
            paintOrientation(painter);
        }
        if (first && view.flag(ViewModel::Flag::ScaleBar)) {
            drawScaleBar(painter, size(), scale_, ground);
            if (!anatomical) {
                drawAzimuths(painter, *this, latticeBox(drawn_.volume->lattice), size(), ground);
            }
        }
        if (first && view.flag(ViewModel::Flag::ColourBar)) {
            paintColourBars(painter);
        }
    }
    if (source_.rois && source_.anatomical() && view.flag(ViewModel::Flag::Annotations)) {
        annotations_.paint(painter);
    }
    if (source_.anatomical()) {
        paintTurnHandles(painter, turnHandles(*this, view, size()), ground);
        paintPlaceMarks(painter, *this, models_.handles, size(), ground);
    }
    if (mixKind() == MixKind::Swipe) {
        const auto names = source_.mix->names ? source_.mix->names() : std::array{QString("A"), QString("B")};
        paintDivider(painter, source_.mix->split(), size(), names, ground);
    }
    const QString name = source_.caption ? source_.caption() : source_.name;
    if (!name.isEmpty()) {
        drawOutlined(painter, {8, 20}, name, textFont(13, QFont::DemiBold), ground);
    }
    paintFrame(painter);
    Q_EMIT painted();
}

void SlicePane::paintOrientation(QPainter& painter) const {
    const MarkGround ground = groundOf(drawn_.map);
    const QFont font = smallFont(QFont::Medium);
    const QString text = models_.view.orientation() == viz::Orientation::Radiological ? tr("radiological")
                                                                                      : tr("neurological");
    drawOutlined(painter, {width() - 12 - QFontMetricsF(font).horizontalAdvance(text), height() - 12.0}, text,
                 font, ground);
}

std::array<QString, 4> SlicePane::colourBarText() const {
    const viz::SliceRequest& drawn = drawn_;
    if (drawn.volume == nullptr) {
        return {};
    }
    const DisplayUnit unit =
        source_.unit ? source_.unit() : DisplayUnit{1, QString::fromStdString(drawn.volume->units)};
    return barText(drawn, unit);
}

void SlicePane::paintColourBars(QPainter& painter) const {
    if (width() < 220 || height() < 190) {
        return;
    }
    constexpr double kBetween = 18;
    constexpr double kBarRoom = 60;        // px of a bar with its numbers
    constexpr double kPictureShare = 0.6;  // share of the width that stays free of further bars
    const DisplayUnit unit =
        source_.unit ? source_.unit() : DisplayUnit{1, QString::fromStdString(drawn_.volume->units)};
    double right = paintColourBar(painter, drawn_, unit, width() - 12);
    for (std::size_t i = shown_.size(); i-- > 0;) {
        const bool same = shown_[i].volume == drawn_.volume;
        const bool room = right - kBetween - kBarRoom > kPictureShare * width();
        if (!same && room && shown_[i].map.id != viz::kLabelMap) {
            right = paintColourBar(painter, stack_[i], shown_[i].unit, right - kBetween);
        }
    }
}

double SlicePane::paintColourBar(QPainter& painter, const viz::SliceRequest& drawn, const DisplayUnit& shown,
                                 double right) const {
    const viz::ColourMap& map = drawn.map;
    const auto [top, middle, bottom, unit] = barText(drawn, shown);
    const MarkGround ground = groundOf(drawn_.map);
    const QColor ink = markInk(ground);
    const QColor halo = markHalo(ground);
    const QFont font = smallFont(QFont::Medium);
    const QFontMetricsF metrics(font);
    const double numbersWidth = std::max({metrics.horizontalAdvance(top), metrics.horizontalAdvance(middle),
                                          metrics.horizontalAdvance(bottom)});
    // It ends above the letter at the middle of the edge.
    const double tall = std::clamp(height() / 2.0 - 28 - 34, 40.0, 112.0);
    const QRectF bar(std::round(right - numbersWidth - 6 - 11), 28, 11, std::floor(tall));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(halo, 3));
    painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5));
    for (int i = 0; i < static_cast<int>(bar.height()); ++i) {
        const auto entry = static_cast<std::size_t>(255.0 * (1.0 - i / (bar.height() - 1)));
        const viz::Rgb c = map.table[entry];
        painter.fillRect(QRectF(bar.left(), bar.top() + i, bar.width(), 1), QColor(c.r, c.g, c.b));
    }
    painter.setPen(QPen(ink, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(-0.5, -0.5, -0.5, -0.5));
    const double x = bar.right() + 6;
    const double half = metrics.capHeight() / 2;
    drawOutlined(painter, {x, bar.top() + 2 * half}, top, font, ink, halo);
    drawOutlined(painter, {x, bar.center().y() + half}, middle, font, ink, halo);
    drawOutlined(painter, {x, bar.bottom()}, bottom, font, ink, halo);
    const double unitLeft = right + 2 - metrics.horizontalAdvance(unit);
    drawOutlined(painter, {unitLeft, 17}, unit, font, ink, halo);
    return std::min(bar.left(), unitLeft);
}

void SlicePane::paintFrame(QPainter& painter) const {
    if (models_.view.activePlane() != plane_ || (source_.frameFollowsFocus && !hasFocus())) {
        return;
    }
    const Theme& theme = Theme::of(*this);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.win, 1));
    painter.drawRect(QRectF(2.5, 2.5, width() - 6, height() - 6));
    painter.setPen(Qt::NoPen);
    painter.setBrush(hasFocus() ? theme.focus : theme.ctlBorder);  // grey: keys go to it from elsewhere, too
    painter.drawRects(QVector<QRectF>{{0, 0, static_cast<double>(width()), 2},
                                      {0, height() - 2.0, static_cast<double>(width()), 2},
                                      {0, 0, 2, static_cast<double>(height())},
                                      {width() - 2.0, 0, 2, static_cast<double>(height())}});
}

bool SlicePane::event(QEvent* event) {
    if (annotations_.wantsDelete() && claimsKey(*event, {Qt::Key_Delete})) {
        return true;
    }
    return QWidget::event(event);
}

void SlicePane::keyPressEvent(QKeyEvent* event) {
    // No shortcuts: fields near the pictures need these keys themselves.
    if (const auto by = placeByKey(*this, models_.handles, *event); by && source_.anatomical()) {
        models_.handles.beginDrag();
        models_.handles.drag(*by);
        models_.handles.endDrag();
        return;
    }
    const bool ends = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool used = annotations_.key(*event) || (ends && rois_.finish()) ||
                      (event->key() == Qt::Key_Backspace && rois_.stepBack());
    if (!used) {
        QWidget::keyPressEvent(event);
    }
}

void SlicePane::focusInEvent(QFocusEvent* event) {
    models_.view.setActivePlane(plane_);
    QWidget::focusInEvent(event);
}

void SlicePane::mousePressEvent(QMouseEvent* event) {
    models_.view.setActivePlane(plane_);
    const bool held = event->button() == Qt::LeftButton && placeGrip(event->position()) != PlaceGrip::None;
    const bool marks = source_.rois && !held;
    if (dragging_ != Qt::NoButton || (marks && (annotations_.press(*event) || rois_.press(*event)))) {
        return;
    }
    dragging_ = event->button();
    dragStart_ = event->position();
    dragMoved_ = false;
    drag_ = dragOf(*event);
}

SlicePane::Drag SlicePane::dragOf(const QMouseEvent& press) {
    const QPointF from = press.position();
    switch (press.button()) {
        case Qt::LeftButton: return leftDragOf(press);
        case Qt::MiddleButton:
            return {[this, last = from](QPointF to) mutable {
                        models_.view.pan(toWorld(last) - toWorld(to));
                        last = to;
                    },
                    {}};
        case Qt::RightButton:
            return {[this, from, before = source_.range()](QPointF to) { setLevel(before, to - from); },
                    [this, before = source_.range(), automatic = source_.autoRange()] {
                        automatic ? source_.resetRange() : source_.setRange(before);
                    }};
        default: return {};
    }
}

SlicePane::Drag SlicePane::leftDragOf(const QMouseEvent& press) {
    ViewModel& view = models_.view;
    const QPointF at = press.position();
    if (const PlaceGrip grip = placeGrip(at); grip != PlaceGrip::None) {
        return placeDragOf(grip, at);
    }
    if (mixKind() == MixKind::Swipe && std::abs(at.x() - source_.mix->split() * width()) < kPaneGrab) {
        return {[this](QPointF to) { source_.mix->setSplit(to.x() / width()); },
                [this, before = source_.mix->split()] { source_.mix->setSplit(before); }};
    }
    if (source_.anatomical() && isOnHandle(turnHandles(*this, view, size()), at)) {
        return turnDragOf(at);
    }
    if (const auto from = lineFrom(at, press.modifiers())) {
        return {[this, &view, from = *from](QPointF to) {
                    view.setLine({from, toWorld(to)});
                },
                [&view, before = view.line()] { before ? view.setLine(*before) : view.clearLine(); }};
    }
    const Vec3 before = view.cursor();
    view.setCursor(toWorld(at));
    return {[this, &view](QPointF to) { view.setCursor(toWorld(to)); },
            [&view, before] { view.setCursor(before); }};
}

SlicePane::Drag SlicePane::placeDragOf(PlaceGrip grip, QPointF from) {
    PlaceHandles& handles = models_.handles;
    handles.beginDrag();
    // The ring's middle stays while it is turned.
    return {[this, &handles, grip, from](QPointF to) {
                constexpr double kStep_deg = 5;
                const bool steps = QGuiApplication::keyboardModifiers() & Qt::ShiftModifier;
                handles.drag(placeDragged(*this, handles, grip, from, to, steps ? kStep_deg : 0));
            },
            [&handles] { handles.abandonDrag(); }, [&handles] { handles.endDrag(); }};
}

SlicePane::Drag SlicePane::turnDragOf(QPointF from) {
    ViewModel& view = models_.view;
    const viz::Turn before = view.turn();
    return {[this, &view, before, from](QPointF to) {
                constexpr double kStep_deg = 15;
                const bool steps = QGuiApplication::keyboardModifiers() & Qt::ShiftModifier;
                view.setTurn(turnedBy(before, *this, view, from, to, steps ? kStep_deg : 0));
            },
            [&view, before] { view.setTurn(before); },
            [this, &view, before] {
                if (!(view.turn() == before)) {
                    models_.rois.undo().push(
                        new UndoStep<viz::Turn>(tr("Turn the planes"), before, view.turn(),
                                                [&view](const viz::Turn& t) { view.setTurn(t); }));
                }
            }};
}

std::optional<Vec3> SlicePane::lineFrom(QPointF position, Qt::KeyboardModifiers keys) const {
    const ViewModel& view = models_.view;
    if (keys & Qt::ControlModifier) {
        return toWorld(position);
    }
    if (view.line() && view.profileAxis() == ViewModel::kAlongLine) {
        const auto near = [&](Vec3 end) { return (toWidget(end) - position).manhattanLength() < kPaneGrab; };
        return near(view.line()->b)   ? std::optional(view.line()->a)
               : near(view.line()->a) ? std::optional(view.line()->b)
                                      : std::nullopt;
    }
    return std::nullopt;
}

void SlicePane::paintLine(QPainter& painter) const {
    const ViewModel& view = models_.view;
    if (!view.line() || view.profileAxis() != ViewModel::kAlongLine) {
        return;
    }
    const bool inSlice = view.inSlice(plane_, view.line()->a) && view.inSlice(plane_, view.line()->b);
    drawProfileLine(painter, toWidget(view.line()->a), toWidget(view.line()->b),
                    inSlice ? LineAt::Slice : LineAt::OtherSlice, groundOf(drawn_.map));
}

void SlicePane::mouseMoveEvent(QMouseEvent* event) {
    if (dragging_ == Qt::NoButton && source_.rois && (annotations_.move(*event) || rois_.move(*event))) {
        return;
    }
    const QPointF at = event->position();
    if (dragging_ == Qt::NoButton && models_.handles.shown()) {
        const PlaceGrip grip = placeGrip(at);
        setCursor(grip == PlaceGrip::Cross  ? Qt::SizeAllCursor
                  : grip == PlaceGrip::Ring ? Qt::PointingHandCursor
                                            : Qt::CrossCursor);
    }
    dragMoved_ = dragMoved_ || (at - dragStart_).manhattanLength() >= kDragDistance;
    if (drag_.follow) {
        drag_.follow(at);
    }
}

/// To the right: wider window; upwards: brighter, that is a lower level. 300 px double or empty the window.
void SlicePane::setLevel(DisplayRange before, QPointF by) {
    const double width0 = before.high - before.low;
    const double width1 = width0 * std::max(0.01, 1 + by.x() / 300.0);
    const double level = (before.low + before.high) / 2 + by.y() / 300.0 * width0;
    DisplayRange range{level - width1 / 2, level + width1 / 2};
    if (before.low >= 0 && range.low < 0) {
        range.low = 0;  // activity has no window below zero
        range.high = std::max(range.high, width0 * 0.01);
    }
    source_.setRange(range);
}

void SlicePane::mouseReleaseEvent(QMouseEvent* event) {
    if (dragging_ == Qt::NoButton && source_.rois &&
        (annotations_.release(*event) || rois_.release(*event))) {
        return;
    }
    if (event->button() == dragging_) {
        const bool click = dragging_ == Qt::RightButton && !dragMoved_;
        dragging_ = Qt::NoButton;
        if (const auto done = std::exchange(drag_, {}).done) {
            done();
        }
        if (click) {
            const int roi = source_.rois ? rois_.roiAt(event->position()) : -1;
            Q_EMIT contextRequested(roi, event->globalPosition().toPoint());
        }
    }
}

void SlicePane::contextMenuEvent(QContextMenuEvent* event) {
    // The mouse's comes with the release: a right drag is window and level.
    if (event->reason() == QContextMenuEvent::Keyboard) {
        const int roi = source_.rois ? models_.view.selectedRoi() : -1;
        Q_EMIT contextRequested(roi, mapToGlobal(rect().center()));
    }
}

void SlicePane::mouseDoubleClickEvent(QMouseEvent* event) {
    if (source_.rois && (annotations_.doubleClick(*event) || rois_.doubleClick(*event))) {
        return;
    }
    if (event->button() == Qt::LeftButton) {
        dragging_ = Qt::NoButton;
        drag_ = {};
        Q_EMIT maximiseRequested();
    }
}

bool SlicePane::abandonDrag() {
    if (annotations_.abandon() || rois_.abandon()) {
        return true;
    }
    if (!drag_.putBack) {
        return false;
    }
    drag_.putBack();
    drag_ = {};
    dragging_ = Qt::NoButton;
    return true;
}

void SlicePane::wheelEvent(QWheelEvent* event) {
    ViewModel& view = models_.view;
    view.setActivePlane(plane_);
    // Shift turns the wheel sideways on some systems.
    const int delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    if (event->modifiers() & Qt::ControlModifier) {
        view.zoomAbout(toWorld(event->position()), std::pow(1.2, delta / 120.0));
        event->accept();
        return;
    }
    wheelRest_ += delta;
    const int steps = wheelRest_ / 120;
    wheelRest_ -= steps * 120;
    if (steps != 0 && dragging_ == Qt::RightButton) {
        // Like leafing: towards the hand is the next one. No menu comes when the button goes up.
        dragMoved_ = true;
        source_.stepImage(-steps);
    } else if (steps != 0) {
        view.stepSlice(plane_, steps * (event->modifiers() & Qt::ShiftModifier ? 10 : 1));
    }
    event->accept();
}

}  // namespace tof::ui
