// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/picture_marks.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmapCache>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kSmall = 300;         ///< px
constexpr double kOpenCentre = 14;  ///< px around the cursor that the crosshair leaves free

/// 1, 2 or 5 times a power of ten.
double niceLength(double longest) {
    const double power = std::pow(10.0, std::floor(std::log10(longest)));
    for (const double factor : {5.0, 2.0, 1.0}) {
        if (factor * power <= longest) {
            return factor * power;
        }
    }
    return power;
}

/// Fills a rectangle. Qt gives a fill of many rows to its pool of threads and waits for them, which on busy
/// cores takes as long as a picture; pieces of few rows are filled at once.
void fillInPieces(QPainter& painter, const QRectF& area, const QColor& colour) {
    constexpr double kRows = 32;  // logical px: below Qt's bound of 96 rows up to a scale of 2
    for (double top = area.top(); top < area.bottom(); top += kRows) {
        painter.fillRect(QRectF(area.left(), top, area.width(), std::min(kRows, area.bottom() - top)),
                         colour);
    }
}

void drawStroked(QPainter& painter, const QPointF& baseline, const QString& text, const QFont& font,
                 const QColor& ink, const QColor& halo) {
    QPainterPath path;
    path.addText(baseline, font, text);
    painter.setPen(QPen(halo, 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.fillPath(path, ink);
}

struct OutlinedText {
    QPixmap pixmap;
    QPoint corner;  ///< corner of the pixmap from the baseline, device pixels
};

/// Drawn once and kept: to stroke letters takes longer than all else of a picture.
OutlinedText outlinedText(const QString& text, const QFont& font, const QColor& ink, const QColor& halo,
                          double ratio) {
    const QRectF box = QFontMetricsF(font).boundingRect(text).adjusted(-4, -4, 4, 4);
    const QRect device = QRectF(box.topLeft() * ratio, box.size() * ratio).toAlignedRect();
    const QString key = QStringList{"outlined",
                                    text,
                                    font.key(),
                                    ink.name(QColor::HexArgb),
                                    halo.name(QColor::HexArgb),
                                    QString::number(ratio)}
                            .join('\n');
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = QPixmap(device.size());
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.translate(-device.topLeft());
        painter.scale(ratio, ratio);
        drawStroked(painter, {0, 0}, text, font, ink, halo);
        painter.end();
        pixmap.setDevicePixelRatio(ratio);
        QPixmapCache::insert(key, pixmap);
    }
    return {pixmap, device.topLeft()};
}

}  // namespace

QImage imageOn(viz::PictureView picture, double ratio) {
    QImage image(reinterpret_cast<const uchar*>(picture.pixels), picture.width, picture.height,
                 picture.width * 4, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    return image;
}

QColor markInk(MarkGround ground) {
    return ground == MarkGround::Dark ? QColor(0xf5, 0xf5, 0xf5) : QColor(0x11, 0x11, 0x11);
}

QColor markHalo(MarkGround ground) {
    return ground == MarkGround::Dark ? QColor(0, 0, 0, 205) : QColor(255, 255, 255, 205);
}

void drawOutlined(QPainter& painter, const QPointF& baseline, const QString& text, const QFont& font,
                  const QColor& ink, const QColor& halo) {
    painter.setRenderHint(QPainter::Antialiasing);
    const QTransform& placed = painter.deviceTransform();
    const bool upright = !placed.isRotating() && placed.m11() > 0 && placed.m11() == placed.m22();
    if (painter.paintEngine()->type() != QPaintEngine::Raster || !upright) {
        drawStroked(painter, baseline, text, font, ink, halo);
        return;
    }
    const double ratio = placed.m11();
    const QPointF at = placed.map(baseline);
    const OutlinedText drawn = outlinedText(text, font, ink, halo, ratio);
    const QPointF corner(std::round(at.x()) + drawn.corner.x(), std::round(at.y()) + drawn.corner.y());
    painter.drawPixmap(placed.inverted().map(corner), drawn.pixmap);
}

void drawOutlined(QPainter& painter, const QPointF& baseline, const QString& text, const QFont& font,
                  MarkGround ground) {
    drawOutlined(painter, baseline, text, font, markInk(ground), markHalo(ground));
}

void drawCrosshair(QPainter& painter, QSize picture, QPointF at, MarkGround ground) {
    QColor ink = markInk(ground);
    QColor halo = markHalo(ground);
    ink.setAlphaF(0.5F);
    halo.setAlphaF(0.4F);
    const double x = std::floor(at.x());
    const double y = std::floor(at.y());
    const auto bar = [&](const QRectF& ink1px) {
        if (ink1px.width() > 0 && ink1px.height() > 0) {
            const bool flat = ink1px.width() > ink1px.height();
            fillInPieces(painter, ink1px.adjusted(flat ? 0 : -1, flat ? -1 : 0, flat ? 0 : 1, flat ? 1 : 0),
                         halo);
            fillInPieces(painter, ink1px, ink);
        }
    };
    painter.setRenderHint(QPainter::Antialiasing, false);
    bar({0, y, x + 0.5 - kOpenCentre, 1});
    bar({x + 0.5 + kOpenCentre, y, picture.width() - x - 0.5 - kOpenCentre, 1});
    bar({x, 0, 1, y + 0.5 - kOpenCentre});
    bar({x, y + 0.5 + kOpenCentre, 1, picture.height() - y - 0.5 - kOpenCentre});
}

void drawEdgeLetters(QPainter& painter, QSize picture, const std::array<char, 4>& letters, QPointF cursor,
                     MarkGround ground) {
    const QFont font = smallFont(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    double middleX = picture.width() / 2.0;
    double middleY = picture.height() / 2.0;
    // In small pictures towards the corner where no name stands.
    if (std::abs(cursor.x() - middleX) < 12) {
        middleX += picture.width() < kSmall ? 16 : -16;
    }
    if (std::abs(cursor.y() - middleY) < 12) {
        middleY += picture.height() < kSmall ? 16 : -16;
    }
    const double half = metrics.capHeight() / 2;
    const auto draw = [&](char letter, QPointF at) {
        const QString text{QChar(letter)};
        at.rx() -= metrics.horizontalAdvance(text) / 2;
        drawOutlined(painter, at, text, font, ground);
    };
    draw(letters[0], {12, middleY + half});
    draw(letters[1], {picture.width() - 12.0, middleY + half});
    draw(letters[2], {middleX, 8 + 2 * half});
    draw(letters[3], {middleX, picture.height() - 8.0});
}

void drawScaleBar(QPainter& painter, QSize picture, double mmPerPixel, MarkGround ground) {
    const double length = niceLength(std::min(picture.width() * 0.25, 110.0) * mmPerPixel);
    const double pixels = std::round(length / mmPerPixel);
    const double y = picture.height() - 13.5;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(markHalo(ground));
    painter.drawRect(QRectF(10, y - 2, pixels + 3, 5));
    painter.setBrush(markInk(ground));
    painter.drawRect(QRectF(11.5, y - 0.5, pixels, 2));
    drawOutlined(painter, {12, y - 6}, QString::number(length) + QChar(0x00a0) + "mm",
                 smallFont(QFont::Medium), ground);
}

void drawProfileLine(QPainter& painter, QPointF a, QPointF b, LineAt where, MarkGround ground) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const auto& [colour, width] : {std::pair{markHalo(ground), 4.0}, std::pair{markInk(ground), 1.5}}) {
        QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap);
        if (where == LineAt::OtherSlice) {
            pen.setDashPattern({6 / width, 5 / width});
        }
        painter.setPen(pen);
        painter.drawLine(a, b);
        painter.setPen(QPen(colour, width));
        painter.drawEllipse(a, 4, 4);
        painter.drawEllipse(b, 4, 4);
    }
}

void drawRunSymbol(QPainter& painter, QPointF centre, double size, int mark, const QColor& colour) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr int kColours = 8;
    const bool hollow = mark < 0 || mark / kColours % 2 == 1;
    painter.setPen(hollow ? QPen(colour, 1.5) : Qt::NoPen);
    painter.setBrush(hollow ? QBrush(Qt::NoBrush) : QBrush(colour));
    const double r = size / 2;
    switch ((mark < 0 ? -1 - mark : mark) % 4) {
        case 0: painter.drawEllipse(centre, r, r); break;
        case 1: painter.drawRect(QRectF(centre.x() - 0.9 * r, centre.y() - 0.9 * r, 1.8 * r, 1.8 * r)); break;
        case 2:
            painter.drawPolygon(QPolygonF{centre + QPointF(0, -1.1 * r), centre + QPointF(1.1 * r, 0.85 * r),
                                          centre + QPointF(-1.1 * r, 0.85 * r)});
            break;
        default:
            painter.drawPolygon(QPolygonF{centre + QPointF(0, -1.2 * r), centre + QPointF(1.2 * r, 0),
                                          centre + QPointF(0, 1.2 * r), centre + QPointF(-1.2 * r, 0)});
    }
    painter.restore();
}

}  // namespace tof::ui
