// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/save_file.h"

#include <QFileDialog>
#include <QMarginsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QWidget>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/base/plain_text.h"
#include "ui/kit/messages.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr double kPointsPerPixel = 0.75;  ///< 96 pixels to the inch

void writePdf(const QImage& image, QSize size, QIODevice& out, double scale) {
    QPdfWriter writer(&out);
    writer.setCreator("Tofscope");
    writer.setResolution(static_cast<int>(96 * scale));
    writer.setPageSize(
        QPageSize(QSizeF(size) * kPointsPerPixel, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    painter.drawImage(QRect(0, 0, writer.width(), writer.height()), image);
}

}  // namespace

QString csvCell(const QString& text) {
    return QString::fromStdString(tof::csvCell(text.toStdString()));
}

QString tableFor(const QString& file, const QString& table) {
    if (!file.endsWith(".csv", Qt::CaseInsensitive) || !table.contains('\t')) {
        return table;  // what is there already
    }
    QStringList lines = table.split('\n');
    for (QString& line : lines) {
        if (line.startsWith('#')) {
            continue;
        }
        QStringList cells = line.split('\t');
        std::transform(cells.begin(), cells.end(), cells.begin(), csvCell);
        line = cells.join(',');
    }
    return lines.join('\n');
}

void saveTextAs(QWidget& window, Messages& messages, const QString& title, const QString& name,
                const QString& text) {
    const QString csv = Text::tr("CSV (*.csv)");
    const QString filter = name.endsWith(".tsv") ? Text::tr("Tab separated (*.tsv)") + ";;" + csv : csv;
    const QString file = QFileDialog::getSaveFileName(&window, title, name, filter);
    if (file.isEmpty()) {
        return;
    }
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(tableFor(file, text).toUtf8()) < 0 || !out.commit()) {
        messages.add(Severity::Error, Text::tr("%1: cannot be written: %2").arg(file, out.errorString()));
        return;
    }
    messages.written(file);
}

QImage pictureOf(QWidget& widget, double scale) {
    QImage image(widget.size() * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(widget.palette().color(QPalette::Window));
    widget.render(&image);
    return image;
}

void writePicture(QWidget& widget, const QString& file, double scale) {
    const bool pdf = file.endsWith(".pdf", Qt::CaseInsensitive);
    if (!pdf && !file.endsWith(".png", Qt::CaseInsensitive)) {
        throw WrongUse(Text::tr("%1: pictures are written as .png or .pdf").arg(file).toStdString());
    }
    if (!(scale >= 0.25 && scale <= 16)) {
        throw WrongUse(Text::tr("picture scale %1: 0.25 to 16 are possible").arg(scale).toStdString());
    }
    const QImage image = pictureOf(widget, scale);
    QSaveFile out(file);
    bool good = out.open(QIODevice::WriteOnly);
    if (good && pdf) {
        writePdf(image, widget.size(), out, scale);
    } else if (good) {
        good = image.save(&out, "PNG");
    }
    if (!good || !out.commit()) {
        throw CannotWrite(Text::tr("%1: cannot be written: %2").arg(file, out.errorString()).toStdString());
    }
}

}  // namespace tof::ui
