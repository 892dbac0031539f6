// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/roi_table.h"

#include <QHeaderView>
#include <QPainter>
#include <QPixmapCache>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace tof::ui {

namespace {

constexpr int kRow = 24;
constexpr int kFixedColumns = 3;  ///< name, shape, role

using Kind = RoiQuantity::Kind;

int widthOf(Kind kind) {
    switch (kind) {
        case Kind::ContrastRecovery: return 76;
        case Kind::Total: return 68;
        case Kind::Outside: return 46;
        case Kind::Mean:
        case Kind::Sd:
        case Kind::Minimum:
        case Kind::Maximum: return 62;  // six digits
        case Kind::SdPercent: return 50;
        case Kind::Voxels:
        case Kind::Volume:
        case Kind::Nsr: return 46;
        default: return 51;
    }
}

QString shownValue(Kind kind, double value) {
    switch (kind) {
        case Kind::SdPercent:
        case Kind::Crc:
        case Kind::ContrastRecovery:
        case Kind::Nsr:
        case Kind::Outside: return numberText(100 * value, 1);
        case Kind::Voxels: return numberText(value, 1);
        case Kind::Volume: return numberText(value / 1000, value < 1e5 ? 2 : 1);
        case Kind::Total: return std::abs(value) >= 1e6 ? compactNumber(value, 4) : numberText(value, 0);
        default: return std::abs(value) >= 100 ? numberText(value, 0) : compactNumber(value, 4);
    }
}

}  // namespace

QPixmap roiSign(const Roi& roi, const QColor& colour, double ratio) {
    const QColor own = roi.colour.empty() ? colour : QColor(QString::fromStdString(roi.colour));
    const bool byRole = roi.dash == Roi::Dash::ByRole;
    const bool dashed = roi.dash == Roi::Dash::Dashed || (byRole && roi.role == Roi::Role::Background);
    const bool dotted = roi.dash == Roi::Dash::Dotted || (byRole && roi.role == Roi::Role::Uniform);
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

RoiTable::RoiTable(Workspace& workspace, QWidget* parent)
    : QTableWidget(0, kFixedColumns + static_cast<int>(roiQuantities().size()), parent),
      workspace_(workspace) {
    setObjectName("rois.all");
    setAccessibleName(tr("All values of all regions of interest"));
    QStringList titles{tr("ROI"), tr("shape"), tr("role")};
    for (const RoiQuantity& quantity : roiQuantities()) {
        titles << Text::tr(quantity.title);
    }
    setHorizontalHeaderLabels(titles);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kRow);
    verticalHeader()->setMinimumSectionSize(16);
    QHeaderView* header = horizontalHeader();
    header->setMinimumSectionSize(16);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    header->setFixedHeight(kRow);
    header->setHighlightSections(false);
    header->setSectionResizeMode(0, QHeaderView::Interactive);
    setColumnWidth(0, 122);
    for (int c = 1; c < columnCount(); ++c) {
        header->setSectionResizeMode(c, QHeaderView::Fixed);
        const auto left = Qt::AlignLeft | Qt::AlignVCenter;
        const auto right = Qt::AlignRight | Qt::AlignVCenter;
        horizontalHeaderItem(c)->setTextAlignment(c < kFixedColumns ? left : right);
        setColumnWidth(c, c == 1 ? 64
                          : c == 2
                              ? 90
                              : widthOf(roiQuantities()[static_cast<std::size_t>(c - kFixedColumns)].kind));
    }
    horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int q = 0; q < static_cast<int>(roiQuantities().size()); ++q) {
        horizontalHeaderItem(kFixedColumns + q)
            ->setToolTip(Text::tr(roiQuantities()[static_cast<std::size_t>(q)].help));
    }
    setShowGrid(false);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setFocusPolicy(Qt::TabFocus);
    connect(this, &QTableWidget::cellClicked, this, [this](int row, int) {
        if (const Roi* roi = workspace_.roiModel().at(row)) {
            workspace_.view().selectRoi(row);
            workspace_.view().setCursor(roi->centre);
        }
    });
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        if (const int row = rowAt(at.y()); row >= 0) {
            Q_EMIT contextRequested(row, viewport()->mapToGlobal(at));
        }
    });
    connect(this, &QTableWidget::cellDoubleClicked, this, [this](int, int) { Q_EMIT editRequested(); });
}

void RoiTable::refresh() {
    const RoiSet& set = workspace_.rois();
    RunItem* item = workspace_.runs().selected();
    const Figures figures = item != nullptr ? workspace_.figuresOnScreen(*item) : Figures{};
    const Theme& theme = Theme::of(*this);
    const QString dash(QChar(0x2013));
    setRowCount(static_cast<int>(set.rois.size()));
    const auto write = [&](int row, int column, const QString& text) {
        QTableWidgetItem* cell = this->item(row, column);
        if (cell == nullptr) {
            cell = new QTableWidgetItem;
            cell->setTextAlignment((column < kFixedColumns ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
            setItem(row, column, cell);
        }
        if (cell->text() != text) {
            cell->setText(text);
        }
        return cell;
    };
    for (int row = 0; row < rowCount(); ++row) {
        const auto i = static_cast<std::size_t>(row);
        const Roi& roi = set.rois[i];
        QTableWidgetItem* name = write(row, 0, QString::fromStdString(roi.name));
        const QString looks = QString("%1 %2 %3")
                                  .arg(static_cast<int>(roi.role))
                                  .arg(static_cast<int>(roi.dash))
                                  .arg(QString::fromStdString(roi.colour));
        if (name->data(Qt::UserRole) != looks) {
            name->setData(Qt::UserRole, looks);
            name->setIcon(roiSign(roi, theme.roi, devicePixelRatioF()));
        }
        write(row, 1, word(shapeName(roi.shape)));
        write(row, 2, roi.role == Roi::Role::None ? dash : word(roleName(roi.role)));
        for (int q = 0; q < static_cast<int>(roiQuantities().size()); ++q) {
            const Kind kind = roiQuantities()[static_cast<std::size_t>(q)].kind;
            const auto value = i < figures.rois.size() ? roiValue(kind, roi, figures.rois[i]) : std::nullopt;
            QTableWidgetItem* cell = write(row, kFixedColumns + q, value ? shownValue(kind, *value) : dash);
            const QString why = value                  ? QString()
                                : figures.rois.empty() ? tr("There is no image yet")
                                                       : whyNoRoiValue(kind, roi, set);
            if (cell->toolTip() != why) {
                cell->setToolTip(why);
            }
        }
    }
    const int selected = workspace_.roiModel().selected();
    if (currentRow() != selected) {
        setCurrentCell(selected, selected < 0 ? -1 : 0);
    }
}

QString RoiTable::caption() const {
    RunItem* item = workspace_.runs().selected();
    const Figures f = item != nullptr ? workspace_.figuresOnScreen(*item) : Figures{};
    const auto percent = [](double value) { return numberText(100 * value, 1) + QChar(0x00a0) + "%"; };
    QStringList parts;
    if (!f.rois.empty() && std::isfinite(f.crc)) {
        parts << (std::isfinite(f.crcSd) ? tr("CRC %1 (SD %2)").arg(percent(f.crc), percent(f.crcSd))
                                         : tr("CRC %1").arg(percent(f.crc)));
    }
    if (!f.rois.empty() && std::isfinite(f.noise)) {
        parts << tr("noise %1").arg(percent(f.noise)) << tr("NSR %1").arg(percent(f.nsr));
    }
    parts << tr("voxels by fraction inside");
    return parts.join("; ");
}

}  // namespace tof::ui
