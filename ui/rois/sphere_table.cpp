// SPDX-License-Identifier: Apache-2.0
#include "ui/rois/sphere_table.h"

#include <QHeaderView>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/desk/roi_model.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kMostRows = 13;

QString none() {
    return QChar(0x2013);
}

}  // namespace

SphereTable::SphereTable(RoiModel& rois, ViewModel& view, Screen& screen, QWidget* parent)
    : RoiList(4, rois, view, screen, parent) {
    setObjectName("rois.table");
    setAccessibleName(tr("Regions of interest"));
    setHorizontalHeaderLabels({tr("ROI"), tr("mean"), tr("SD, %"), tr("CRC, %")});
    QHeaderView* header = horizontalHeader();
    dress(*header, 1);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int c = 1; c < 4; ++c) {
        header->setSectionResizeMode(c, QHeaderView::Fixed);
        setColumnWidth(c, c == 1 ? 70 : 52);
    }
    horizontalHeaderItem(1)->setToolTip(tr("Mean, pixels counted by the fraction of them inside"));
    horizontalHeaderItem(2)->setToolTip(tr("SD (n - 1, n the sum of fractions) over the mean"));
    horizontalHeaderItem(3)->setToolTip(
        tr("((mean - background mean) / background mean) / (true ratio - 1)"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QTableWidget::cellClicked, this, [this](int row, int) {
        if (!foldBackgrounds(row)) {
            choose(row);
        }
    });
    connect(this, &QTableWidget::cellActivated, this,
            [this](int row, int) { static_cast<void>(foldBackgrounds(row)); });
}

std::optional<RoiQuantity::Kind> SphereTable::quantityOf(int column) const {
    using Kind = RoiQuantity::Kind;
    constexpr std::array kColumns{Kind::Mean, Kind::SdPercent, Kind::Crc};
    return column > 0 ? std::optional(kColumns.at(static_cast<std::size_t>(column - 1))) : std::nullopt;
}

bool SphereTable::foldBackgrounds(int row) {
    if (row < 0 || row >= static_cast<int>(rows_.size()) || !rows_[static_cast<std::size_t>(row)].group) {
        return false;
    }
    const Roi* chosen = rois_.selectedRoi();
    if (!backgroundsFolded_ && chosen != nullptr && partOf(*chosen) == Part::Backgrounds) {
        view_.selectRoi(-1);  // what is selected is never out of sight
    }
    backgroundsFolded_ = !backgroundsFolded_;
    refresh();
    return true;
}

void SphereTable::choosePower(const Figures& figures) {
    const DisplayUnit unit = screen_.unit();
    double largest = 0;
    for (const RoiFigures& f : figures.rois) {
        if (std::isfinite(f.statistics.mean)) {
            largest = std::max(largest, std::abs(unit.shown(f.statistics.mean)));
        }
    }
    power_ = commonPower(largest);
    const QString title = power_ == 0 ? tr("mean") : tr("mean") + ", " + powerText(power_);
    if (horizontalHeaderItem(1)->text() != title) {
        horizontalHeaderItem(1)->setText(title);
    }
    for (int c = 1; c < columnCount(); ++c) {
        setColumnWidth(c, std::max(columnWidth(c), titleWidth(c)));
    }
}

QString SphereTable::meanText(double value) const {
    const double shown = screen_.unit().shown(value);
    return power_ != 0              ? numberText(shown / std::pow(10.0, power_), 3)
           : std::abs(shown) >= 100 ? numberText(shown, 0)
                                    : compactNumber(shown, 4);
}

SphereTable::Row SphereTable::rowOf(std::size_t roi, const Figures& figures) const {
    Row row{QString::fromStdString(rois_.rois()[roi].name), none(), none(), none(), static_cast<int>(roi)};
    if (roi >= figures.rois.size()) {
        return row;
    }
    const RoiFigures& f = figures.rois[roi];
    row.mean = meanText(f.statistics.mean);
    const auto sd = roiValue(RoiQuantity::Kind::SdPercent, rois_.rois()[roi], f, screen_.kind());
    row.sd = sd ? numberText(100 * *sd, 1) : none();
    row.crc = f.hasCrc ? numberText(100 * f.crc, 1) : none();
    if (f.statistics.outsideFraction > 0) {
        row.note = tr("%1 % of it lie outside the image and are left out")
                       .arg(numberText(100 * f.statistics.outsideFraction, 1));
    }
    return row;
}

void SphereTable::addPart(Part part, const Figures& figures) {
    for (std::size_t i = 0; i < rois_.rois().size(); ++i) {
        if (partOf(rois_.rois()[i]) == part) {
            rows_.push_back(rowOf(i, figures));
        }
    }
}

void SphereTable::addMeanOfSpheres(const Figures& figures) {
    double sum = 0;
    int spheres = 0;
    for (std::size_t i = 0; i < std::min(rois_.rois().size(), figures.rois.size()); ++i) {
        if (partOf(rois_.rois()[i]) == Part::Spheres) {
            sum += figures.rois[i].statistics.mean;
            ++spheres;
        }
    }
    if (spheres > 0) {
        rows_.push_back({tr("mean of %1").arg(spheres), meanText(sum / spheres), none(),
                         numberText(100 * figures.crc, 1)});
    }
}

void SphereTable::addBackgrounds(const Figures& figures) {
    double sum = 0;
    int all = 0;
    bool measured = false;
    for (std::size_t i = 0; i < rois_.rois().size(); ++i) {
        if (partOf(rois_.rois()[i]) == Part::Backgrounds) {
            ++all;
            const bool known = i < figures.rois.size();
            sum += known ? figures.rois[i].statistics.mean : 0;
            measured = measured || known;
        }
    }
    if (all == 0) {
        return;
    }
    rows_.push_back({tr("backgrounds"), measured ? meanText(sum / all) : none(), none(), none(), -1,
                     tr("The backgrounds of single spheres and their mean; a click or Return unfolds them"),
                     true});
    if (!backgroundsFolded_) {
        addPart(Part::Backgrounds, figures);
    }
}

void SphereTable::writeSign(QTableWidgetItem& cell, const Row& row) const {
    if (row.roi >= 0) {
        sign(cell, rois_.rois()[static_cast<std::size_t>(row.roi)]);
        return;
    }
    const char* const chevron = backgroundsFolded_ ? "chevron-right" : "chevron-down";
    const QString looks = row.group ? chevron : "none";
    if (cell.data(kLooks) != looks) {
        cell.setData(kLooks, looks);
        cell.setIcon(row.group ? QIcon(iconPixmap(chevron, Theme::of(*this).text2, 16, devicePixelRatioF()))
                               : QIcon(emptySign(devicePixelRatioF())));
    }
}

void SphereTable::writeRow(int at) {
    const Row& row = rows_[static_cast<std::size_t>(at)];
    const bool strong = row.roi < 0 && !row.group;
    const QFont font = textFont(13, strong ? QFont::DemiBold : QFont::Normal);
    QTableWidgetItem* first = write(at, 0, row.name, font);
    first->setData(Qt::UserRole, row.roi >= 0 ? QVariant(static_cast<uint>(row.roi)) : QVariant());
    writeSign(*first, row);
    first->setToolTip(row.note);
    write(at, 1, row.mean, font)->setToolTip(row.note);
    write(at, 2, row.sd, font);
    QTableWidgetItem* crc = write(at, 3, row.crc, font);
    crc->setToolTip(row.crc != none() ? QString()
                    : row.roi < 0     ? tr("No sphere has a CRC")
                                      : whyNoRoiValue(RoiQuantity::Kind::Crc,
                                                      rois_.rois()[static_cast<std::size_t>(row.roi)],
                                                      rois_.set(), screen_.kind()));
    for (int c = 1; c < columnCount(); ++c) {
        widenFor(at, c);  // the font may be another one since
    }
    if (row.roi >= 0 && row.roi == view_.selectedRoi() && currentRow() != at) {
        setCurrentCell(at, 0);
    }
}

void SphereTable::refresh() {
    const Figures figures = screen_.figures();
    if (const Roi* chosen = rois_.at(view_.selectedRoi());
        chosen != nullptr && partOf(*chosen) == Part::Backgrounds) {
        backgroundsFolded_ = false;
    }
    choosePower(figures);
    rows_.clear();
    addPart(Part::Spheres, figures);
    addMeanOfSpheres(figures);
    addBackgrounds(figures);
    addPart(Part::Rest, figures);
    setRowCount(static_cast<int>(rows_.size()));
    for (int row = 0; row < rowCount(); ++row) {
        writeRow(row);
    }
    setFixedHeight((std::clamp(rowCount(), 1, kMostRows) + 1) * kRow + 2);
}

}  // namespace tof::ui
