// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/level_strip.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/kit/theme.h"

namespace tof::ui {

LevelStrip::LevelStrip(ViewModel& view, QWidget* parent) : QWidget(parent), view_(view) {
    setObjectName("view.strip");
    setAccessibleName(tr("Window and level"));
    setToolTip(tr("Drag a handle to change one end, the middle to move both; double-click for auto"));
    setFixedSize(sizeHint());
    connect(&view_, &ViewModel::changed, this, [this] {
        rescale();
        update();
    });
    rescale();
}

void LevelStrip::rescale() {
    if (held_ != Held::None) {
        return;  // the scale stands still under the hand
    }
    const DisplayRange range = view_.range();
    const double width = range.high - range.low;
    scaleLow_ = range.low < 0 ? range.low - 0.1 * width : 0;
    scaleHigh_ = range.high + 0.4 * width;
}

void LevelStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    const viz::ColourMap map = view_.colourMap();
    const DisplayRange range = view_.range();
    QPainter painter(this);
    const QRect bar(6, 7, width() - 12, height() - 14);
    const auto last = static_cast<double>(map.table.size() - 1);
    for (int x = bar.left(); x <= bar.right(); ++x) {
        const double share = std::clamp((value(x + 0.5) - range.low) / (range.high - range.low), 0.0, 1.0);
        const viz::Rgb c = map.table[static_cast<std::size_t>(share * last)];
        painter.fillRect(QRect(x, bar.top(), 1, bar.height()), QColor(c.r, c.g, c.b));
    }
    painter.setPen(theme.ctlBorder);
    painter.drawRect(bar.adjusted(0, 0, -1, -1));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const double v : {range.low, range.high}) {
        const double x = std::clamp(place(v), 3.0, width() - 3.0);
        painter.setPen(QPen(theme.win, 2));
        painter.setBrush(theme.text);
        painter.drawRoundedRect(QRectF(x - 3, 4, 6, height() - 8), 2, 2);
    }
}

void LevelStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        return;
    }
    pressRange_ = view_.range();
    const double x = event->position().x();
    const double toLow = std::abs(x - place(pressRange_.low));
    const double toHigh = std::abs(x - place(pressRange_.high));
    pressValue_ = value(x);
    held_ = std::min(toLow, toHigh) > 10 ? Held::Both : toLow < toHigh ? Held::Low : Held::High;
}

void LevelStrip::mouseMoveEvent(QMouseEvent* event) {
    const double by = value(event->position().x()) - pressValue_;
    DisplayRange range = pressRange_;
    switch (held_) {
        case Held::None: return;
        case Held::Low: range.low = std::min(range.low + by, range.high * 0.999); break;
        case Held::High:
            range.high = std::max(range.high + by, range.low + 1e-3 * (scaleHigh_ - scaleLow_));
            break;
        case Held::Both:
            range.low += by;
            range.high += by;
            break;
    }
    if (pressRange_.low >= 0 && range.low < 0) {
        range.high -= held_ == Held::Both ? range.low : 0;
        range.low = 0;
    }
    view_.setRange(range);
}

}  // namespace tof::ui
