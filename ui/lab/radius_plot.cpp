// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/radius_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "recon/kernel/kernel_edit.h"
#include "ui/kit/basic.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr double kPlotReach = 11;  ///< px around a point that hold it
constexpr double kOff = 8;         ///< px outside the plot that take a held point away
constexpr double kFree = 12;       ///< px between the width axis and |s| = 0
constexpr double kNameStep = 15;   ///< px from one name to the next
constexpr double kNames = 96;      ///< px at the right for the names of the curves, more for a longer one

QPen presetPen(int index, const QColor& colour) {
    QPen pen(colour, 1);
    switch (index % 4) {
        case 1: pen.setDashPattern({4, 2.5}); break;
        case 2: pen.setDashPattern({6, 2.5, 1.5, 2.5}); break;
        case 3: pen.setDashPattern({1.5, 2.5}); break;
        default: break;
    }
    return pen;
}

}  // namespace

RadiusPlot::RadiusPlot(KernelLab& lab, QWidget* parent) : QWidget(parent), lab_(lab) {
    setObjectName("lab.plot");
    setAccessibleName(tr("Radial width against distance from the centre"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumHeight(150);
    connect(&lab_, &KernelLab::edited, this, qOverload<>(&QWidget::update));
}

double RadiusPlot::nameRoom() const {
    const double own = QFontMetricsF(smallFont(QFont::DemiBold)).horizontalAdvance(ownName());
    return std::clamp(std::ceil(own) + 10, kNames, std::max(kNames, 0.3 * width()));
}

QString RadiusPlot::ownName() const {
    return lab_.spread() == KernelLab::Spread::Measured ? tr("measured")
           : lab_.changedSinceOrigin()                  ? tr("custom")
                                                        : lab_.originName();
}

Plot RadiusPlot::plot() const {
    const double end = std::max(300.0, lab_.knots().back().first);
    double top = 0;
    for (const auto& [s, w] : lab_.knots()) {
        top = std::max(top, w);
    }
    if (presetsShown_) {
        top = std::max(top, 12.0);  // variant2 at the edge
    }
    if (held_ >= 0) {
        top = heldTop_;
    }
    const double room = held_ >= 0 ? 1.0 : 1.15;
    Axis x = niceAxis(0, end, std::max(3, static_cast<int>(plotArea().width() / 100)),
                      tr("distance from the centre |s|, mm"));
    x.low = -kFree / plotArea().width() * x.high;  // the first point does not cover the numbers
    return {plotArea(), x,
            niceAxis(0, top * room, std::max(2, static_cast<int>(plotArea().height() / 40)),
                     tr("radial FWHM, mm"))};
}

std::pair<double, double> RadiusPlot::value(QPointF position) const {
    const Plot plot = this->plot();
    const QPointF at = plot.shares(position);
    return {plot.x.value(at.x()), plot.y.value(at.y())};
}

int RadiusPlot::knotAt(QPointF position) const {
    int best = -1;
    double nearest = kPlotReach;
    const auto line = lab_.knots();
    for (int i = 0; i < static_cast<int>(line.size()); ++i) {
        const QPointF d =
            place(line[static_cast<std::size_t>(i)].first, line[static_cast<std::size_t>(i)].second) -
            position;
        if (std::hypot(d.x(), d.y()) < nearest) {
            nearest = std::hypot(d.x(), d.y());
            best = i;
        }
    }
    return best;
}

// ---- painting ----

void RadiusPlot::paintPresets(QPainter& painter, const Plot& plot) const {
    const Theme& theme = Theme::of(*this);
    int index = 0;
    for (const std::string& preset : scannerPresets()) {
        const KernelSpec spec = KernelSpec::preset(preset);
        QPolygonF curve;
        for (int i = 0; i <= 120; ++i) {
            const double s = plot.x.high * i / 120;
            curve << plot.at(s, spec.radial.at(s));
        }
        painter.setPen(presetPen(index, theme.text3));
        painter.drawPolyline(curve);
        ++index;
    }
}

void RadiusPlot::paintNames(QPainter& painter, const Plot& plot) const {
    const Theme& theme = Theme::of(*this);
    struct Name {
        QString text;
        double y;
        bool own;
    };
    std::vector<Name> names;
    const auto at = [&](double width) { return plot.at(plot.x.high, width).y(); };
    const bool measured = lab_.spread() == KernelLab::Spread::Measured;
    const bool changed = lab_.changedSinceOrigin();
    bool listed = false;
    for (const std::string& preset : scannerPresets()) {
        const bool own = !changed && !measured && lab_.origin().toStdString() == preset;
        listed = listed || own;
        if (presetsShown_ || own) {
            names.push_back(
                {QString::fromStdString(preset), at(KernelSpec::preset(preset).radial.at(plot.x.high)), own});
        }
    }
    if (!listed) {
        const double width = measured ? lab_.knots().back().second : lab_.kernel().radial.at(plot.x.high);
        names.push_back({ownName(), at(width), true});
    }
    std::sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
    for (std::size_t i = 1; i < names.size(); ++i) {
        names[i].y = std::max(names[i].y, names[i - 1].y + kNameStep);
    }
    // What would run out at the foot moves up, and pushes up what is above it.
    double lowest = plot.area.bottom() - 4;  // below are the numbers of the axis
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        name->y = std::min(name->y, lowest);
        lowest = name->y - kNameStep;
    }
    for (const Name& name : names) {
        const QFont font = smallFont(name.own ? QFont::DemiBold : QFont::Normal);
        painter.setFont(font);
        painter.setPen(name.own ? theme.run(0) : theme.text2);
        const double baseline = std::clamp(name.y + 4, plot.area.top() + 8, plot.area.bottom());
        painter.drawText(QPointF(plot.area.right() + 8, baseline),
                         QFontMetricsF(font).elidedText(name.text, Qt::ElideRight, nameRoom() - 10));
    }
}

void RadiusPlot::paintTag(QPainter& painter, const QRectF& plot, QPointF at, double s_mm,
                          double fwhm_mm) const {
    const Theme& theme = Theme::of(*this);
    const QString text = leaves_ ? tr("let go to remove it")
                                 : numberText(s_mm, 0) + QChar(0x00a0) + "mm   " + numberText(fwhm_mm, 2) +
                                       QChar(0x00a0) + "mm";
    const QFontMetricsF metrics(textFont());
    QRectF box(0, 0, metrics.horizontalAdvance(text) + 18, 24);
    box.moveBottomRight(at + QPointF(-12, -12));
    if (box.left() < plot.left() + 2) {
        box.moveLeft(at.x() + 12);
    }
    if (box.top() < plot.top() + 2) {
        box.moveTop(at.y() + 12);
    }
    painter.setPen(QPen(theme.ctlBorder, 1));
    painter.setBrush(theme.ctl);
    painter.drawRoundedRect(box.translated(0.5, 0.5), 4, 4);
    painter.setFont(textFont());
    painter.setPen(theme.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

void RadiusPlot::paintKernel(QPainter& painter, const Plot& plot) const {
    const Theme& theme = Theme::of(*this);
    const QColor colour = theme.run(0);
    const auto line = lab_.knots();
    const bool measured = lab_.spread() == KernelLab::Spread::Measured;
    QPolygonF curve;
    const RadialWidth& radial = lab_.kernel().radial;
    if (measured) {
        for (const auto& [s, w] : line) {
            curve << plot.at(s, w);
        }
    } else {
        std::vector<double> radii;
        for (int i = 0; i <= 120; ++i) {
            radii.push_back(plot.x.high * i / 120);
        }
        for (const auto& [s, w] : line) {
            radii.push_back(s);  // corners are drawn where they are
        }
        std::sort(radii.begin(), radii.end());
        for (const double s : radii) {
            curve << plot.at(s, radial.at(s));
        }
    }
    const int selected = lab_.selectedKnot();
    const auto& chosen =
        line[static_cast<std::size_t>(std::clamp(selected, 0, static_cast<int>(line.size()) - 1))];
    const QPointF chosenAt = plot.at(chosen.first, chosen.second);
    painter.setPen(QPen(theme.text3, 1, Qt::DotLine));
    painter.drawLine(QPointF(plot.area.left(), chosenAt.y()), chosenAt);
    painter.drawLine(chosenAt, QPointF(chosenAt.x(), plot.area.bottom()));
    painter.setPen(QPen(colour, 1.75));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(curve);
    for (int i = 0; i < static_cast<int>(line.size()); ++i) {
        const auto& [s, w] = line[static_cast<std::size_t>(i)];
        const QPointF at = plot.at(s, w);
        if (i == selected) {
            painter.setPen(QPen(theme.text, 1.5));
            painter.setBrush(theme.plot);
            painter.drawEllipse(at, 8.5, 8.5);
            painter.setPen(QPen(colour, 1.75));
            painter.setBrush(theme.text);
            painter.drawEllipse(at, 5.5, 5.5);
        } else {
            painter.setPen(QPen(colour, i == hovered_ ? 2.5 : 1.75));
            painter.setBrush(theme.plot);
            painter.drawEllipse(at, 5.5, 5.5);
        }
    }
    if (held_ >= 0 || hasFocus() || hovered_ >= 0) {
        const int tagged = held_ >= 0 ? held_ : hovered_ >= 0 ? hovered_ : selected;
        const auto& [s, w] = line[static_cast<std::size_t>(tagged)];
        paintTag(painter, plot.area, plot.at(s, w), s, w);
    }
}

void RadiusPlot::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    const Plot plot = this->plot();
    painter.fillRect(rect(), theme.win);
    paintAxes(painter, plot, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    if (presetsShown_) {
        paintPresets(painter, plot);
    }
    paintNames(painter, plot);
    paintKernel(painter, plot);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(theme.focus, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(0.5, 0.5, width() - 1, height() - 1));
    }
}

// ---- mouse and keys ----

void RadiusPlot::mousePressEvent(QMouseEvent* event) {
    const int knot = knotAt(event->position());
    if (event->button() != Qt::LeftButton || knot < 0) {
        return;
    }
    lab_.selectKnot(knot);
    if (lab_.spread() == KernelLab::Spread::Measured) {
        return;
    }
    const auto [s, w] = lab_.knots()[static_cast<std::size_t>(knot)];
    grip_ = place(s, w) - event->position();
    before_ = lab_.kernel();
    heldTop_ = plot().y.high;
    held_ = knot;
    lab_.endEdit();
    update();
}

void RadiusPlot::mouseMoveEvent(QMouseEvent* event) {
    if (held_ >= 0) {
        // Let go outside the plot, a point is removed; the one at the centre stays.
        const bool leaves =
            held_ > 0 && !QRectF(rect()).adjusted(-kOff, -kOff, kOff, kOff).contains(event->position());
        if (leaves != leaves_) {
            leaves_ = leaves;
            update();
        }
        const auto [s, w] = value(event->position() + grip_);
        if (!leaves) {
            lab_.moveKnot(held_, s, w, Edit::Dragging);
        }
        return;
    }
    const int hovered = knotAt(event->position());
    if (hovered != hovered_) {
        hovered_ = hovered;
        const bool measured = lab_.spread() == KernelLab::Spread::Measured;
        setCursor(hovered < 0 ? Qt::ArrowCursor : measured ? Qt::PointingHandCursor : Qt::SizeAllCursor);
        setToolTip(measured && hovered >= 0 ? tr("Measured widths come from the file and cannot be dragged")
                                            : QString());
        update();
    }
}

void RadiusPlot::mouseReleaseEvent(QMouseEvent*) {
    if (held_ >= 0) {
        if (leaves_) {
            lab_.removeKnot(held_, Edit::Dragging);  // one step with the drag that led there
        }
        held_ = -1;
        leaves_ = false;
        lab_.endEdit();
        update();
    }
}

void RadiusPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && knotAt(event->position()) < 0 &&
        plotArea().contains(event->position())) {
        const auto [s, w] = value(event->position());
        static_cast<void>(lab_.addKnot(s, w));
    }
}

bool RadiusPlot::abandonDrag() {
    if (held_ < 0) {
        return false;
    }
    held_ = -1;
    leaves_ = false;
    lab_.setKernel(before_, Edit::Dragging);
    lab_.endEdit();
    update();
    return true;
}

bool RadiusPlot::event(QEvent* event) {
    // Tab goes through the points before it leaves the plot.
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const int step = key->key() == Qt::Key_Tab ? 1 : key->key() == Qt::Key_Backtab ? -1 : 0;
        const int next = lab_.selectedKnot() + step;
        if (step != 0 && next >= 0 && next < static_cast<int>(lab_.knots().size())) {
            lab_.selectKnot(next);
            return true;
        }
    }
    // Arrows and Delete belong to the points, not to the window's shortcuts.
    return claimsKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Delete,
                              Qt::Key_Insert}) ||
           (held_ >= 0 && claimsKey(*event, {Qt::Key_Escape})) || QWidget::event(event);
}

void RadiusPlot::keyPressEvent(QKeyEvent* event) {
    const int index = lab_.selectedKnot();
    const auto [s, w] = lab_.knots()[static_cast<std::size_t>(index)];
    const double factor = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    switch (event->key()) {
        case Qt::Key_Left: lab_.moveKnot(index, s - factor, w); break;
        case Qt::Key_Right: lab_.moveKnot(index, s + factor, w); break;
        case Qt::Key_Up: lab_.moveKnot(index, s, w + 0.1 * factor); break;
        case Qt::Key_Down: lab_.moveKnot(index, s, w - 0.1 * factor); break;
        case Qt::Key_Delete: lab_.removeKnot(index); break;
        case Qt::Key_Insert: insertAfter(index); break;
        case Qt::Key_Escape:
            if (!abandonDrag()) {
                QWidget::keyPressEvent(event);
            }
            break;
        default: QWidget::keyPressEvent(event);
    }
}

void RadiusPlot::insertAfter(int index) {
    const auto line = lab_.knots();
    const auto at = static_cast<std::size_t>(index);
    const double from = line[at].first;
    const double to = at + 1 < line.size() ? line[at + 1].first : plot().x.high;
    const double middle = std::round((from + to) / 2);
    static_cast<void>(lab_.addKnot(middle, lab_.kernel().radial.at(middle)));
}

}  // namespace tof::ui
