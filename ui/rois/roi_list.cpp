// SPDX-License-Identifier: Apache-2.0
#include "ui/rois/roi_list.h"

#include <QHeaderView>
#include <QPainter>
#include <QPixmapCache>

#include "ui/desk/roi_model.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/theme.h"

namespace tof::ui {

Roi::Dash lineOf(const Roi& roi) {
    return roi.dash != Roi::Dash::ByRole       ? roi.dash
           : roi.role == Roi::Role::Background ? Roi::Dash::Dashed
           : roi.role == Roi::Role::Uniform    ? Roi::Dash::Dotted
                                               : Roi::Dash::Solid;
}

QPixmap roiSign(const Roi& roi, const QColor& colour, double ratio) {
    const QColor own = roi.colour.empty() ? colour : QColor(QString::fromStdString(roi.colour));
    const bool dashed = lineOf(roi) == Roi::Dash::Dashed;
    const bool dotted = lineOf(roi) == Roi::Dash::Dotted;
    // Icons keep scaled copies of every pixmap they have seen: equal signs are one pixmap, or that cache
    // grows.
    const QString key =
        QString("roi-sign %1 %2%3 %4").arg(own.name(QColor::HexArgb)).arg(dashed).arg(dotted).arg(ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) {
        return pixmap;
    }
    pixmap = emptySign(ratio);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(QColor(0, 0, 0, 200), 3.2));
    painter.drawEllipse(QPointF(8, 8), 5, 5);
    QPen pen(own, 1.6);
    if (dashed) {
        pen.setDashPattern({2.6, 1.6});
    } else if (dotted) {
        pen.setDashPattern({1, 1.4});
    }
    painter.setPen(pen);
    painter.drawEllipse(QPointF(8, 8), 5, 5);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QPixmap emptySign(double ratio) {
    const QString key = QString("no roi-sign %1").arg(ratio);
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = QPixmap(qRound(16 * ratio), qRound(16 * ratio));
        pixmap.setDevicePixelRatio(ratio);
        pixmap.fill(Qt::transparent);
        QPixmapCache::insert(key, pixmap);
    }
    return pixmap;
}

RoiList::RoiList(int columns, RoiModel& rois, ViewModel& view, Screen& screen, QWidget* parent)
    : KeyTable(0, columns, parent), rois_(rois), view_(view), screen_(screen) {
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kRow);
    verticalHeader()->setMinimumSectionSize(16);
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QWidget::customContextMenuRequested, this, &RoiList::requestContext);
    connect(this, &KeyTable::rowChosen, this, &RoiList::choose);
    connect(this, &QTableWidget::cellDoubleClicked, this, [this](int, int) { Q_EMIT editRequested(); });
}

void RoiList::dress(QHeaderView& header, int numbers) {
    header.setMinimumSectionSize(16);
    header.setFixedHeight(kRow);
    header.setHighlightSections(false);
    for (int c = 0; c < columnCount(); ++c) {
        horizontalHeaderItem(c)->setTextAlignment((c < numbers ? Qt::AlignLeft : Qt::AlignRight) |
                                                  Qt::AlignVCenter);
    }
}

void RoiList::choose(int row) {
    const int index = roiOfRow(row);
    if (const Roi* roi = rois_.at(index)) {
        const Vec3 centre = roi->centre;
        view_.selectRoi(index);
        view_.setCursor(centre);
    }
}

void RoiList::requestContext(const QPoint& at) {
    const int roi = roiOfRow(rowAt(at.y()));
    if (roi < 0) {
        return;
    }
    const auto i = static_cast<std::size_t>(roi);
    const auto kind = quantityOf(columnAt(at.x()));
    const Figures f = screen_.figures();
    const QString value = kind && i < f.rois.size() ? roiValueText(*kind, rois_.rois()[i], f.rois[i],
                                                                   screen_.kind(), screen_.unit())
                                                    : QString();
    Q_EMIT contextRequested(roi, viewport()->mapToGlobal(at), value);
}

QTableWidgetItem* RoiList::write(int row, int column, const QString& text, const QFont& font) {
    QTableWidgetItem* cell = item(row, column);
    if (cell == nullptr) {
        cell = new QTableWidgetItem;
        cell->setData(Qt::TextAlignmentRole, horizontalHeaderItem(column)->data(Qt::TextAlignmentRole));
        setItem(row, column, cell);
    }
    if (cell->text() != text || cell->font() != font) {
        cell->setText(text);
        cell->setFont(font);
        widenFor(row, column);
    }
    return cell;
}

void RoiList::sign(QTableWidgetItem& cell, const Roi& roi) const {
    const QString looks = QString("%1 %2 %3")
                              .arg(static_cast<int>(roi.role))
                              .arg(static_cast<int>(roi.dash))
                              .arg(QString::fromStdString(roi.colour));
    if (cell.data(kLooks) != looks) {
        cell.setData(kLooks, looks);
        cell.setIcon(roiSign(roi, Theme::of(*this).roi, devicePixelRatioF()));
    }
}

/// What the delegate needs for a number is what the column has at least.
void RoiList::widenFor(int row, int column) {
    const int wanted = wholeWidth(row, column);
    if (column > 0 && wanted > columnWidth(column)) {
        setColumnWidth(column, wanted);
        widened();
    }
}

}  // namespace tof::ui
