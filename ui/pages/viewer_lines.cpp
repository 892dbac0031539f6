// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/viewer_lines.h"

#include <QApplication>
#include <QClipboard>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <optional>

#include "recon/base/constants.h"
#include "ui/desk/open_study.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kHeader = 28;

/// ", MIP of 20 mm", ", mean of all"; empty for one slice.
QString slabText(const Slab& slab) {
    if (slab.thickness_mm <= 0) {
        return {};
    }
    const QString what = slab.mode == viz::SlabMode::Mean  ? Text::tr(", mean of %1")
                         : slab.mode == viz::SlabMode::Sum ? Text::tr(", sum of %1")
                                                           : Text::tr(", MIP of %1");
    return what.arg(std::isfinite(slab.thickness_mm) ? numberText(slab.thickness_mm, 0) + QChar(0x00a0) + "mm"
                                                     : Text::tr("all"));
}

QString signedLetter(double mm, const char* letters) {
    return QString(QChar(letters[mm >= 0 ? 0 : 1]));
}

}  // namespace

PaneHeader::PaneHeader(Plane plane, RunList& runs, ViewModel& view, const OpenStudy& study, QWidget* parent)
    : QWidget(parent), plane_(plane), runs_(runs), view_(view), study_(study) {
    setFixedHeight(kHeader);
}

QString PaneHeader::position(SliceNumber number) const {
    const ViewModel& view = view_;
    const int axis = viz::planeAxes(plane_, view.orientation()).normal;
    const double leaned_deg =
        std::acos(std::clamp(view.turn().axes[static_cast<std::size_t>(axis)][static_cast<std::size_t>(axis)],
                             -1.0, 1.0)) /
        kRadPerDeg;
    QString text = view.isOblique(plane_) ? tr("oblique by %1°").arg(numberText(leaned_deg, 1))
                                          : QString("%1 %2%3mm")
                                                .arg(QChar("xyz"[axis]))
                                                .arg(numberText(viz::coordinate(view.cursor(), axis), 1))
                                                .arg(QChar(0x00a0));
    if (number == SliceNumber::Shown) {
        text += tr(", slice %1 of %2").arg(view.sliceIndex(plane_) + 1).arg(view.sliceCount(plane_));
    }
    return text + (view.slabWaits(plane_) ? tr(", slab waits") : slabText(view.slab()));
}

void PaneHeader::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    const QString names[] = {tr("Transverse"), tr("Coronal"), tr("Sagittal")};
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    painter.setFont(textFont(13, QFont::DemiBold));
    painter.setPen(theme.text);
    const Form* const form = study_.form();
    const QString name = form != nullptr && form->usualLook.plane == plane_ ? word(form->usualLook.planeName)
                                                                            : names[static_cast<int>(plane_)];
    painter.drawText(QRect(8, 0, width(), kHeader), Qt::AlignVCenter, name);
    const int nameWidth = painter.fontMetrics().horizontalAdvance(name);
    RunItem* item = runs_.onScreen();
    int right = width() - 10;
    const bool first = plane_ == Plane::Transverse || view_.layout() == Layout::Single;
    if (item != nullptr && first) {
        painter.setFont(smallFont());
        QString what = item->isVolume()
                           ? item->label() + "  " + item->shownText()
                           : item->label() + (item->shownText().isEmpty() ? "" : ", " + item->shownText());
        const QFontMetrics metrics = painter.fontMetrics();
        const int room = width() - nameWidth -
                         std::min(150, 60 + metrics.horizontalAdvance(position(SliceNumber::LeftOut)));
        if (!item->isVolume() && metrics.horizontalAdvance(what) >= room) {
            what = item->label();  // the rest stands in the list of runs
        }
        // A pixel more: the width is rounded, and what is a fraction too wide would be shortened.
        const int w = std::min(metrics.horizontalAdvance(what) + 1, std::max(0, room));
        painter.setPen(theme.text2);
        painter.drawText(QRect(right - w, 0, w, kHeader), Qt::AlignVCenter | Qt::AlignRight,
                         painter.fontMetrics().elidedText(what, Qt::ElideRight, w));
        drawRunSymbol(painter, QPointF(right - w - 11, kHeader / 2.0), 9, item->mark(),
                      theme.run(item->mark()));
        right -= w + 22;
    }
    painter.setFont(smallFont());
    painter.setPen(theme.text2);
    const int left = 8 + nameWidth + 12;
    const int room = std::max(0, right - left);
    // A slice's number is whole or not there.
    const QString whole = position(SliceNumber::Shown);
    const QString text =
        painter.fontMetrics().horizontalAdvance(whole) < room ? whole : position(SliceNumber::LeftOut);
    painter.drawText(QRect(left, 0, room, kHeader), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, room));
}

ProbeLine::ProbeLine(RunList& runs, ViewModel& view, Screen& screen, const OpenStudy& study, QWidget* parent)
    : QWidget(parent), runs_(runs), view_(view), screen_(screen), study_(study) {
    setObjectName("probe");
    setAccessibleName(tr("Values under the cursor"));
    setFixedHeight(32);
}

std::vector<ProbeLine::Cell> ProbeLine::cells() const {
    const ViewModel& view = view_;
    const Vec3 c = view.cursor();
    std::vector<Cell> cells{{"x " + numberText(c.x, 1), "mm " + signedLetter(c.x, "LR"), 92},
                            {"y " + numberText(c.y, 1), "mm " + signedLetter(c.y, "PA"), 92},
                            {"z " + numberText(c.z, 1), "mm " + signedLetter(c.z, "SI"), 92}};
    const auto [x, y, z] = view.lattice().voxelAt(c);
    cells.push_back({QString("%1, %2, %3").arg(x).arg(y).arg(z), tr("voxel"), 130});
    RunItem* const selected = operands_ ? operands_()[0] : runs_.onScreen();
    RunItem* const other = operands_ ? operands_()[1] : runs_.other();
    if (selected != nullptr && selected->volume() != nullptr) {
        cells.push_back(cellOf(*selected, unitWord(screen_.unitOf(*selected)), 190));
    }
    if (selected != nullptr && selected->dynamic() != nullptr) {
        cells.push_back({framesText(*selected->dynamic(), selected->framesShown()), "", 200});
    }
    if (const auto difference = differenceOf(selected, other)) {
        cells.push_back(*difference);
    }
    for (const auto& item : runs_.items()) {
        const bool meant = !operands_ || item.get() == other;
        if (item.get() != selected && item->volume() != nullptr && meant) {
            const bool sameUnit =
                selected != nullptr && screen_.unitOf(*item).name == screen_.unitOf(*selected).name;
            cells.push_back(cellOf(*item, sameUnit ? QString() : unitWord(screen_.unitOf(*item)), 88));
        }
    }
    return cells;
}

std::optional<double> ProbeLine::valueOf(const RunItem& item) const {
    const auto volume = item.volume();
    if (volume == nullptr) {
        return {};
    }
    const auto [x, y, z] = volume->lattice.voxelAt(view_.cursor());
    return volume->lattice.contains(x, y, z)
               ? std::optional(screen_.unitOf(item).shown(static_cast<double>(volume->at(x, y, z))))
               : std::nullopt;
}

ProbeLine::Cell ProbeLine::cellOf(const RunItem& item, const QString& unit, int width) const {
    const auto value = valueOf(item);
    return {item.label() + " " + (value ? compactNumber(*value, 4) : QString(QChar(0x2013))), unit, width};
}

std::optional<ProbeLine::Cell> ProbeLine::differenceOf(const RunItem* selected, const RunItem* other) const {
    const auto first = selected != nullptr ? valueOf(*selected) : std::nullopt;
    const auto second = other != nullptr ? valueOf(*other) : std::nullopt;
    if (!first || !second || screen_.unitOf(*selected).name != screen_.unitOf(*other).name) {
        return {};
    }
    const double d = *first - *second;
    constexpr double kMostShare = 10;  // of more nobody reads a percentage
    const QString share = std::abs(d) < kMostShare * std::abs(*second)
                              ? "(" + numberText(100 * d / *second, 1) + QChar(0x00a0) + "%)"
                              : QString();
    return Cell{selected->label() + " " + QChar(0x2212) + " " + other->label() + " " + compactNumber(d, 4),
                share, 170};
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
    setAccessibleDescription(text());
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
    if (!view_.flag(ViewModel::Flag::VoxelInfo) || (study_.isEmpty() && runs_.items().empty())) {
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
        constexpr int kDots = 16;
        if (x + numberWidth + unitWidth + 4 > width() - 8 - kDots) {
            painter.setPen(theme.text2);
            painter.drawText(QRect(x, 0, kDots, 32), Qt::AlignVCenter, QChar(0x2026));
            break;  // the tooltip has all
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

bool ProbeLine::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        QStringList parts;
        for (const Cell& cell : cells()) {
            parts << (cell.number + " " + cell.unit).trimmed();
        }
        const RunItem* const item = operands_ ? operands_()[0] : runs_.onScreen();
        if (item != nullptr && item->volume() != nullptr) {
            if (const QString why = screen_.whyNoActivity(*item); !why.isEmpty()) {
                parts << tr("No Bq/ml: %1").arg(why);
            }
        }
        setToolTip(parts.join("\n") + "\n" + tr("Double-click copies the line"));
    }
    return QWidget::event(event);
}

void ProbeLine::mouseDoubleClickEvent(QMouseEvent*) {
    QApplication::clipboard()->setText(text());
}

}  // namespace tof::ui
