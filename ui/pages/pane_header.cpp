// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/pane_header.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

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
    const QString what =
        slab.mode == viz::SlabMode::Mean ? Text::tr(", mean of %1") : Text::tr(", MIP of %1");
    return what.arg(std::isfinite(slab.thickness_mm) ? numberText(slab.thickness_mm, 0) + QChar(0x00a0) + "mm"
                                                     : Text::tr("all"));
}

}  // namespace

PaneHeader::PaneHeader(Plane plane, Desk& desk, QWidget* parent)
    : QWidget(parent), plane_(plane), desk_(desk) {
    setFixedHeight(kHeader);
}

QString PaneHeader::position() const {
    const ViewModel& view = desk_.view();
    const int axis = viz::planeAxes(plane_, view.orientation()).normal;
    QString text = QString("%1 %2%3mm")
                       .arg(QChar("xyz"[axis]))
                       .arg(numberText(viz::coordinate(view.cursor(), axis), 1))
                       .arg(QChar(0x00a0));
    if (width() > 300) {
        text += tr(", slice %1 of %2").arg(view.sliceIndex(plane_) + 1).arg(view.sliceCount(plane_));
    }
    return text + slabText(view.slab());
}

void PaneHeader::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    const QString names[] = {tr("Transverse"), tr("Coronal"), tr("Sagittal")};
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    painter.setFont(textFont(13, QFont::DemiBold));
    painter.setPen(theme.text);
    const QString name = names[static_cast<int>(plane_)];
    painter.drawText(QRect(8, 0, width(), kHeader), Qt::AlignVCenter, name);
    const int nameWidth = painter.fontMetrics().horizontalAdvance(name);
    RunItem* item = desk_.runs().selected();
    int right = width() - 10;
    const bool first = plane_ == Plane::Transverse || desk_.view().layout() == Layout::Single;
    if (item != nullptr && first) {
        painter.setFont(smallFont());
        const QString what =
            item->isVolume() ? item->label() + "  " + item->name()
                             : item->label() + (item->shownText().isEmpty() ? "" : ", " + item->shownText());
        const int w =
            std::min(painter.fontMetrics().horizontalAdvance(what), std::max(0, width() - nameWidth - 150));
        painter.setPen(theme.text2);
        painter.drawText(QRect(right - w, 0, w, kHeader), Qt::AlignVCenter | Qt::AlignRight,
                         painter.fontMetrics().elidedText(what, Qt::ElideRight, w));
        const int index = desk_.runs().indexOf(item->id());
        drawRunSymbol(painter, QPointF(right - w - 11, kHeader / 2.0), 9, index, theme.run(index));
        right -= w + 22;
    }
    painter.setFont(smallFont());
    painter.setPen(theme.text2);
    const int left = 8 + nameWidth + 12;
    painter.drawText(QRect(left, 0, std::max(0, right - left), kHeader), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(position(), Qt::ElideRight, std::max(0, right - left)));
}

}  // namespace tof::ui
