// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/pane_mix.h"

#include <QPainter>
#include <cmath>

#include "ui/kit/picture_marks.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr double kHandle = 7;  ///< px, radius of the divider's handle

int dividerX(double split, QSize pane) {
    return static_cast<int>(std::lround(split * pane.width()));
}

}  // namespace

void paintSecond(QPainter& painter, const QImage& second, MixKind kind, double split, QSize pane) {
    const double ratio = second.devicePixelRatio();
    const auto part = [&](const QRect& r) {
        painter.drawImage(QRectF(r), second,
                          QRectF(r.x() * ratio, r.y() * ratio, r.width() * ratio, r.height() * ratio));
    };
    if (kind == MixKind::Swipe) {
        const int x = dividerX(split, pane);
        part({x, 0, pane.width() - x, pane.height()});
        return;
    }
    const int columns = (pane.width() + kCheckerSquare - 1) / kCheckerSquare;
    const int rows = (pane.height() + kCheckerSquare - 1) / kCheckerSquare;
    const QRect whole(QPoint(0, 0), pane);
    for (int row = 0; row < rows && kind == MixKind::Checkerboard; ++row) {
        for (int column = (row + 1) % 2; column < columns; column += 2) {
            const QRect square(column * kCheckerSquare, row * kCheckerSquare, kCheckerSquare, kCheckerSquare);
            part(square.intersected(whole));
        }
    }
}

void paintDivider(QPainter& painter, double split, QSize pane, const std::array<QString, 2>& names,
                  MarkGround ground) {
    const double x = dividerX(split, pane);
    const double middle = pane.height() / 2.0;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(markHalo(ground), 4));
    painter.drawLine(QPointF(x, 0), QPointF(x, pane.height()));
    painter.setPen(QPen(markInk(ground), 1.5));
    painter.drawLine(QPointF(x, 0), QPointF(x, pane.height()));
    painter.setPen(QPen(markHalo(ground), 2));
    painter.setBrush(markInk(ground));
    painter.drawEllipse(QPointF(x, middle), kHandle, kHandle);
    const QFont font = textFont(13, QFont::DemiBold);
    const double width = QFontMetricsF(font).horizontalAdvance(names[0]);
    drawOutlined(painter, {x - 10 - width, pane.height() - 12.0}, names[0], font, ground);
    drawOutlined(painter, {x + 10, pane.height() - 12.0}, names[1], font, ground);
}

}  // namespace tof::ui
