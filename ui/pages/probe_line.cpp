// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/probe_line.h"

#include <QApplication>
#include <QClipboard>
#include <QPainter>
#include <algorithm>
#include <optional>

#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

QString signedLetter(double mm, const char* letters) {
    return QString(QChar(letters[mm >= 0 ? 0 : 1]));
}

}  // namespace

ProbeLine::ProbeLine(Desk& desk, QWidget* parent) : QWidget(parent), desk_(desk) {
    setObjectName("probe");
    setAccessibleName(tr("Values under the cursor"));
    setToolTip(tr("Double-click copies the line"));
    setFixedHeight(32);
}

std::vector<ProbeLine::Cell> ProbeLine::cells() const {
    const ViewModel& view = desk_.view();
    const Vec3 c = view.cursor();
    std::vector<Cell> cells{{"x " + numberText(c.x, 1), "mm " + signedLetter(c.x, "LR"), 92},
                            {"y " + numberText(c.y, 1), "mm " + signedLetter(c.y, "PA"), 92},
                            {"z " + numberText(c.z, 1), "mm " + signedLetter(c.z, "SI"), 92}};
    const auto index = [&](int axis) {
        return viz::nearestIndex(view.lattice(), axis, viz::coordinate(c, axis));
    };
    const int x = index(0);
    const int y = index(1);
    const int z = index(2);
    cells.push_back({QString("%1, %2, %3").arg(x).arg(y).arg(z), tr("voxel"), 130});
    RunItem* selected = desk_.runs().selected();
    RunItem* other = desk_.runs().other();
    std::vector<RunItem*> shown;
    for (const auto& item : desk_.runs().items()) {
        shown.push_back(item.get());
    }
    std::optional<double> first;
    std::optional<double> second;
    for (RunItem* item : shown) {
        const auto volume = item->volume();
        if (volume == nullptr) {
            continue;
        }
        const Lattice& lattice = volume->lattice;
        const int vx = viz::nearestIndex(lattice, 0, c.x);
        const int vy = viz::nearestIndex(lattice, 1, c.y);
        const int vz = viz::nearestIndex(lattice, 2, c.z);
        const bool inside = lattice.contains(vx, vy, vz);
        const double value =
            inside ? desk_.screen().unitOf(*item).shown(static_cast<double>(volume->at(vx, vy, vz))) : 0;
        cells.push_back(
            {item->label() + " " + (inside ? compactNumber(value, 4) : QString(QChar(0x2013))), "", 88});
        if (item == selected && inside) {
            first = value;
        } else if (item == other && inside) {
            second = value;
        }
    }
    if (first && second && desk_.screen().unitOf(*selected).name == desk_.screen().unitOf(*other).name) {
        const double d = *first - *second;
        const QString share =
            *second != 0 ? "(" + numberText(100 * d / *second, 1) + QChar(0x00a0) + "%)" : QString();
        cells.push_back(
            {selected->label() + " " + QChar(0x2212) + " " + other->label() + " " + compactNumber(d, 4),
             share, 170});
    }
    if (selected != nullptr) {
        cells.push_back({"", desk_.screen().unitOf(*selected).name, 110});
    }
    return cells;
}

QString ProbeLine::text() const {
    QStringList parts;
    for (const Cell& cell : cells()) {
        parts << (cell.number + " " + cell.unit).trimmed();
    }
    QString line = parts.join(" | ");
    return line.replace(QChar(0x2212), '-').replace(QChar(0x00a0), ' ');
}

void ProbeLine::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
    if (!desk_.view().flag(ViewModel::Flag::VoxelInfo) || desk_.isEmpty()) {
        return;
    }
    int x = 16;
    int n = 0;
    for (const Cell& cell : cells()) {
        if (n == 3 || n == 4) {
            painter.fillRect(QRect(x - 10, 9, 1, 14), theme.line);
        }
        const bool unitFirst = n == 3;
        painter.setFont(textFont());
        const int numberWidth = painter.fontMetrics().horizontalAdvance(cell.number);
        painter.setFont(smallFont());
        const int unitWidth = painter.fontMetrics().horizontalAdvance(cell.unit);
        if (x + numberWidth + unitWidth + 4 > width() - 8) {
            continue;  // the unit, last, may still have room
        }
        painter.setPen(theme.text2);
        painter.drawText(
            QRect(unitFirst ? x : x + numberWidth + (cell.number.isEmpty() ? 0 : 4), 0, unitWidth + 4, 32),
            Qt::AlignVCenter, cell.unit);
        painter.setFont(textFont());
        painter.setPen(theme.text);
        painter.drawText(QRect(unitFirst ? x + unitWidth + 4 : x, 0, numberWidth + 4, 32), Qt::AlignVCenter,
                         cell.number);
        x += std::max(cell.width, numberWidth + unitWidth + 16);
        ++n;
    }
}

void ProbeLine::mouseDoubleClickEvent(QMouseEvent*) {
    QApplication::clipboard()->setText(text());
}

}  // namespace tof::ui
