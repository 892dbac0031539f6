// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/annotation_overlay.h"

#include <QFontMetricsF>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLineF>
#include <QMouseEvent>
#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "ui/kit/basic.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr double kGrab = 7;        ///< px around a line or an end that take it
constexpr double kShortest = 4;    ///< px below which a drag was a click
constexpr double kHead = 9;        ///< px of an arrow's head
constexpr double kTick = 5;        ///< px of a ruler's ends, to either side
constexpr double kBesideLine = 8;  ///< px between a line and its words

QFont wordsFont() {
    return textFont(13, QFont::DemiBold);
}

double distanceTo(QPointF p, QPointF a, QPointF b) {
    const QPointF ab = b - a;
    const double length2 = QPointF::dotProduct(ab, ab);
    const double t = length2 > 0 ? std::clamp(QPointF::dotProduct(p - a, ab) / length2, 0.0, 1.0) : 0.0;
    return QLineF(p, a + t * ab).length();
}

/// What was typed without needless spaces; empty when the user changes their mind.
std::optional<QString> askForWords(QWidget& canvas, const QString& now) {
    bool ok = false;
    const QString text = QInputDialog::getText(&canvas, Text::tr("Text"), Text::tr("Words on the picture"),
                                               QLineEdit::Normal, now, &ok);
    return ok ? std::optional(text.simplified()) : std::nullopt;
}

/// Ink over a wider halo, as all marks on pictures.
void strokeTwice(QPainter& painter, const QPainterPath& path, const QColor& ink, const QColor& halo) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(halo, 4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
    painter.setPen(QPen(ink, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
}

}  // namespace

AnnotationOverlay::AnnotationOverlay(QWidget& canvas, const PlaneMap& map, Annotations& model,
                                     ViewModel& view)
    : canvas_(canvas), map_(map), model_(model), view_(view) {
    QObject::connect(&model, &Annotations::changed, &canvas, [&canvas] { canvas.update(); });
    QObject::connect(&model, &Annotations::toolChanged, &canvas, [&canvas] { canvas.update(); });
}

bool AnnotationOverlay::shown(const Annotation& one) const {
    return one.plane == map_.plane() && view_.lattice().voxels() > 0 && view_.inSlice(one.plane, one.a) &&
           view_.inSlice(one.plane, one.b);
}

QString AnnotationOverlay::wordsOf(const Annotation& one) const {
    if (one.kind != Annotation::Kind::Ruler) {
        return one.text;
    }
    const QString length = numberText(one.length_mm(), 1) + QChar(0x00a0) + "mm";
    return one.text.isEmpty() ? length : one.text + " " + length;
}

QRectF AnnotationOverlay::wordsRect(const Annotation& one) const {
    const QFontMetricsF metrics(wordsFont());
    const QString words = wordsOf(one);
    const QSizeF size(metrics.horizontalAdvance(words), metrics.height());
    const QPointF a = map_.toWidget(one.a);
    if (one.kind == Annotation::Kind::Text) {
        return {QPointF(a.x(), a.y() - size.height() / 2), size};
    }
    const QPointF b = map_.toWidget(one.b);
    if (one.kind == Annotation::Kind::Arrow) {  // behind its tail
        const bool left = b.x() >= a.x();
        return {QPointF(left ? a.x() - kBesideLine - size.width() : a.x() + kBesideLine,
                        a.y() - size.height() / 2),
                size};
    }
    const QPointF right = a.x() > b.x() ? a : b;  // beside the end further to the right
    return {QPointF(right.x() + kBesideLine, right.y() - size.height() / 2), size};
}

void AnnotationOverlay::paintOne(QPainter& painter, const Annotation& one, const QColor& ink) const {
    const QColor halo(0, 0, 0, 205);
    const QPointF a = map_.toWidget(one.a);
    const QPointF b = map_.toWidget(one.b);
    painter.setRenderHint(QPainter::Antialiasing);
    if (one.kind != Annotation::Kind::Text && QLineF(a, b).length() > 0) {
        const QPointF along = (b - a) / QLineF(a, b).length();
        const QPointF across(-along.y(), along.x());
        QPainterPath path(a);
        path.lineTo(b);
        if (one.kind == Annotation::Kind::Arrow) {
            path.moveTo(b - kHead * along + 0.5 * kHead * across);
            path.lineTo(b);
            path.lineTo(b - kHead * along - 0.5 * kHead * across);
        } else {
            for (const QPointF end : {a, b}) {
                path.moveTo(end - kTick * across);
                path.lineTo(end + kTick * across);
            }
        }
        strokeTwice(painter, path, ink, halo);
    }
    const QString words = wordsOf(one);
    if (!words.isEmpty()) {
        const QRectF room = wordsRect(one);
        drawOutlined(painter, {room.left(), room.top() + QFontMetricsF(wordsFont()).ascent()}, words,
                     wordsFont(), ink, halo);
    }
}

void AnnotationOverlay::paint(QPainter& painter) const {
    const Theme& theme = Theme::of(canvas_);
    for (std::size_t i = 0; i < model_.all().size(); ++i) {
        if (shown(model_.all()[i])) {
            const bool selected = static_cast<int>(i) == model_.selected();
            paintOne(painter, model_.all()[i], selected ? theme.roiSelected : theme.roi);
        }
    }
}

AnnotationOverlay::Hit AnnotationOverlay::hit(QPointF at) const {
    for (int i = static_cast<int>(model_.all().size()) - 1; i >= 0; --i) {
        const Annotation& one = model_.all()[static_cast<std::size_t>(i)];
        if (!shown(one)) {
            continue;
        }
        const QPointF a = map_.toWidget(one.a);
        const QPointF b = map_.toWidget(one.b);
        if (one.kind != Annotation::Kind::Text) {
            if (QLineF(at, a).length() < kGrab || QLineF(at, b).length() < kGrab) {
                return {i, QLineF(at, a).length() < QLineF(at, b).length() ? Grip::A : Grip::B};
            }
            if (distanceTo(at, a, b) < kGrab) {
                return {i, Grip::Whole};
            }
        }
        if (!wordsOf(one).isEmpty() && wordsRect(one).contains(at)) {
            return {i, Grip::Whole};
        }
    }
    return {};
}

bool AnnotationOverlay::press(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || !view_.flag(ViewModel::Flag::Annotations)) {
        return false;
    }
    start_ = event.position();
    if (model_.tool()) {
        drawing_ = true;
        Annotation one;
        one.kind = *model_.tool();
        one.plane = map_.plane();
        one.a = one.b = map_.toWorld(start_);
        model_.beginDrag(Text::tr("Add annotation"));
        model_.dragAdd(one);
        held_ = {model_.selected(), Grip::B};
        origin_ = one;
        return true;
    }
    if (event.modifiers() != Qt::NoModifier) {
        return false;
    }
    held_ = hit(start_);
    model_.select(held_.index);
    if (held_.index < 0) {
        return false;
    }
    origin_ = model_.all()[static_cast<std::size_t>(held_.index)];
    model_.beginDrag(Text::tr("Move annotation"));
    return true;
}

bool AnnotationOverlay::move(const QMouseEvent& event) {
    if (held_.index < 0) {
        return false;
    }
    Annotation one = origin_;
    const Vec3 by = map_.toWorld(event.position()) - map_.toWorld(start_);
    if (one.kind == Annotation::Kind::Text || held_.grip == Grip::Whole) {
        one.a = origin_.a + by;
        one.b = origin_.b + by;
    } else {
        (held_.grip == Grip::A ? one.a : one.b) = (held_.grip == Grip::A ? origin_.a : origin_.b) + by;
    }
    model_.dragTo(held_.index, one);
    return true;
}

bool AnnotationOverlay::release(const QMouseEvent& event) {
    if (held_.index < 0 || event.button() != Qt::LeftButton) {
        return held_.index >= 0;
    }
    const int index = held_.index;
    held_ = {};
    if (!std::exchange(drawing_, false)) {
        model_.endDrag();
        return true;
    }
    const bool words = origin_.kind == Annotation::Kind::Text;
    if (!words && QLineF(start_, event.position()).length() < kShortest) {
        model_.abandonDrag();  // a click makes no line
        return true;
    }
    model_.setTool(std::nullopt);
    if (!words) {
        model_.endDrag();
        return true;
    }
    const auto text = askForWords(canvas_, {});
    if (!text || text->isEmpty()) {
        model_.abandonDrag();
        return true;
    }
    Annotation one = model_.all()[static_cast<std::size_t>(index)];
    one.text = *text;
    model_.dragTo(index, one);
    model_.endDrag();
    return true;
}

bool AnnotationOverlay::doubleClick(const QMouseEvent& event) {
    const Hit at =
        event.button() == Qt::LeftButton && !model_.tool() && view_.flag(ViewModel::Flag::Annotations)
            ? hit(event.position())
            : Hit{};
    if (at.index < 0) {
        return false;
    }
    model_.abandonDrag();
    held_ = {};
    Annotation one = model_.all()[static_cast<std::size_t>(at.index)];
    const auto text = askForWords(canvas_, one.text);
    if (text && (one.kind != Annotation::Kind::Text || !text->isEmpty())) {
        one.text = *text;
        model_.change(at.index, one, Text::tr("Change annotation"));
    }
    return true;
}

bool AnnotationOverlay::wantsDelete() const {
    const int index = model_.selected();
    return index >= 0 && model_.all()[static_cast<std::size_t>(index)].plane == map_.plane();
}

bool AnnotationOverlay::key(const QKeyEvent& event) {
    if (event.key() != Qt::Key_Delete || !wantsDelete()) {
        return false;
    }
    model_.remove(model_.selected());
    return true;
}

bool AnnotationOverlay::abandon() {
    const bool dragged = held_.index >= 0;
    held_ = {};
    drawing_ = false;
    const bool tool = model_.tool().has_value();
    model_.abandonDrag();
    model_.setTool(std::nullopt);
    return dragged || tool;
}

}  // namespace tof::ui
