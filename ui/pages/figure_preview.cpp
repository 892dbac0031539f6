// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/figure_preview.h"

#include <QFontDatabase>
#include <QPainter>
#include <algorithm>

#include "recon/figure/font.h"
#include "recon/figure/font_bytes.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kPaperRoom = 24;

QColor inkOf(Rgb colour) {
    return {colour.r, colour.g, colour.b};
}

/// The family of the figures' own fonts, which the window learns at the first call.
QString figureFamily() {
    static const QString family = [] {
        const auto add = [](std::string_view bytes) {
            return QFontDatabase::addApplicationFontFromData(
                QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())));
        };
        static_cast<void>(add(fontBoldBytes()));
        const QStringList families = QFontDatabase::applicationFontFamilies(add(fontRegularBytes()));
        return families.isEmpty() ? QString("sans-serif") : families.front();
    }();
    return family;
}

/// Paints in mm.
struct DrawingPainter {
    QPainter& painter;

    void operator()(const DrawnLine& line) const {
        QPen pen(inkOf(line.colour), line.width_mm);
        pen.setCapStyle(Qt::FlatCap);
        QList<qreal> dashes;
        for (const double dash : line.dashes_mm) {
            dashes << dash / line.width_mm;
        }
        if (!dashes.isEmpty()) {
            pen.setDashPattern(dashes);
        }
        QPolygonF points;
        for (const PagePoint& p : line.points) {
            points << QPointF(p.x, p.y);
        }
        painter.setPen(pen);
        painter.drawPolyline(points);
    }
    void operator()(const DrawnBox& box) const {
        painter.fillRect(QRectF(box.box.x, box.box.y, box.box.width, box.box.height), inkOf(box.colour));
    }
    void operator()(const DrawnPicture& picture) const {
        const Pixels& pixels = picture.pixels;
        const QImage image(pixels.rgb.data(), pixels.width, pixels.height, 3 * pixels.width,
                           QImage::Format_RGB888);
        painter.drawImage(QRectF(picture.box.x, picture.box.y, picture.box.width, picture.box.height), image);
    }
    void operator()(const DrawnText& text) const {
        constexpr int kLarge = 100;  // pixels: the painter's scale makes it as small as it is
        QFont font(figureFamily());
        font.setPixelSize(kLarge);
        font.setBold(text.weight == Weight::Bold);
        font.setHintingPreference(QFont::PreferNoHinting);
        const double size_mm = text.size_pt * kPoint_mm;
        const double width = figureFont(text.weight).width_mm(text.text, text.size_pt) / size_mm * kLarge;
        const double back = text.anchor == Anchor::Start    ? 0
                            : text.anchor == Anchor::Middle ? width / 2
                                                            : width;
        painter.save();
        painter.translate(text.at.x, text.at.y);
        painter.rotate(text.reading == Reading::Upwards ? -90 : 0);
        painter.scale(size_mm / kLarge, size_mm / kLarge);
        painter.setFont(font);
        painter.setPen(inkOf(text.colour));
        painter.drawText(QPointF(-back, 0), QString::fromStdString(text.text));
        painter.restore();
    }
};

}  // namespace

void paintDrawing(QPainter& painter, const Drawing& drawing, double scale) {
    painter.save();
    painter.scale(scale, scale);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    for (const Drawn& part : drawing.parts) {
        std::visit(DrawingPainter{painter}, part);
    }
    painter.restore();
}

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent) {
    setObjectName("figure.preview");
    setAccessibleName(tr("Figure as it is written"));
}

void FigurePreview::setDrawing(Drawing drawing) {
    drawing_ = std::move(drawing);
    sentence_.clear();
    update();
}

void FigurePreview::setSentence(const QString& sentence) {
    drawing_ = {};
    sentence_ = sentence;
    update();
}

void FigurePreview::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    if (drawing_.parts.empty()) {
        painter.setPen(theme.text);
        painter.drawText(rect().adjusted(kPaperRoom, kPaperRoom, -kPaperRoom, -kPaperRoom),
                         Qt::AlignCenter | Qt::TextWordWrap, sentence_);
        return;
    }
    const double room = 2.0 * kPaperRoom;
    const double margin_mm = 3;  // paper about the page
    const double scale = std::max(0.1, std::min((width() - room) / (drawing_.width_mm + 2 * margin_mm),
                                                (height() - room) / (drawing_.height_mm + 2 * margin_mm)));
    const QSizeF paper((drawing_.width_mm + 2 * margin_mm) * scale,
                       (drawing_.height_mm + 2 * margin_mm) * scale);
    const QPointF corner((width() - paper.width()) / 2, (height() - paper.height()) / 2);
    painter.fillRect(QRectF(corner, paper), Qt::white);
    painter.translate(corner + QPointF(margin_mm * scale, margin_mm * scale));
    paintDrawing(painter, drawing_, scale);
}

}  // namespace tof::ui
