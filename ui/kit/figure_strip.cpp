// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/figure_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

FigureStrip::FigureStrip(QWidget* parent) : QWidget(parent) {
    setFixedHeight(kHeight);
    setAccessibleName(Text::tr("Figures"));
}

void FigureStrip::setFigures(std::vector<Figure> figures) {
    figures_ = std::move(figures);
    setAccessibleDescription(text());
    update();
}

QString FigureStrip::text() const {
    QString text;
    for (const Figure& figure : figures_) {
        text += figure.name + "\t" + figure.value + "\t" + figure.unit + "\n";
    }
    return text.replace(QChar(0x2212), '-');
}

bool FigureStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto at = std::upper_bound(ends_.begin(), ends_.end(), help->pos().x()) - ends_.begin();
        const auto i = static_cast<std::size_t>(at);
        const QString tip = i < figures_.size() ? figures_[i].help : QString();
        QToolTip::showText(help->globalPos(),
                           tip + (tip.isEmpty() ? "" : "\n") + Text::tr("Double-click copies"), this);
        return true;
    }
    return QWidget::event(event);
}

void FigureStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    ends_.clear();
    // Where there is no room the gaps give way first; a figure that has none is left out whole, not cut:
    // a double-click copies it still.
    constexpr int kMargin = 16;
    constexpr int kGap = 28;
    constexpr int kLeastGap = 12;
    constexpr int kLeastWidth = 72;
    int wanted = 2 * kMargin - kGap;
    std::vector<int> widths;
    for (const Figure& figure : figures_) {
        const QFontMetrics small(smallFont());
        const int value = QFontMetrics(textFont()).horizontalAdvance(figure.value);
        widths.push_back(
            std::max(small.horizontalAdvance(figure.name), value + small.horizontalAdvance(figure.unit) + 5));
        wanted += std::max(widths.back(), kLeastWidth) + kGap;
    }
    const bool tight = wanted > width();
    int x = kMargin;
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        const Figure& figure = figures_[i];
        if (i > 0 && x + widths[i] > width()) {
            break;
        }
        painter.setFont(smallFont());
        painter.setPen(theme.text2);
        const int nameWidth = painter.fontMetrics().horizontalAdvance(figure.name);
        const int unitWidth = painter.fontMetrics().horizontalAdvance(figure.unit);
        painter.drawText(QRect(x, 8, nameWidth + 4, 18), Qt::AlignVCenter, figure.name);
        painter.setFont(textFont());
        const int valueWidth = painter.fontMetrics().horizontalAdvance(figure.value);
        painter.setPen(theme.text);
        painter.drawText(QRect(x, 28, valueWidth + 4, 20), Qt::AlignVCenter, figure.value);
        painter.setFont(smallFont());
        painter.setPen(theme.text2);
        painter.drawText(QRect(x + valueWidth + 5, 28, unitWidth + 4, 20), Qt::AlignVCenter, figure.unit);
        x += std::max(widths[i], tight ? 0 : kLeastWidth) + (tight ? kLeastGap : kGap);
        ends_.push_back(x);
    }
}

void FigureStrip::mouseDoubleClickEvent(QMouseEvent*) {
    QApplication::clipboard()->setText(text());
}

}  // namespace tof::ui
