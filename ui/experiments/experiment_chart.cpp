// SPDX-License-Identifier: Apache-2.0
#include "ui/experiments/experiment_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/kit/picture_marks.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kName = 18;  ///< height of a line of the legend

}  // namespace

ExperimentChart::ExperimentChart(QWidget* parent) : QWidget(parent) {
    setObjectName("experiments.chart");
    setAccessibleName(tr("Curves of the experiment"));
    setMinimumHeight(160);
}

Plot ExperimentChart::plot() const {
    Span x;
    Span y;
    for (const ChartLine& line : chart_.lines) {
        std::for_each(line.x.begin(), line.x.end(), [&](double v) { x.add(v); });
        std::for_each(line.y.begin(), line.y.end(), [&](double v) { y.add(v); });
    }
    for (Span* span : {&x, &y}) {
        *span = span->empty() ? Span{0, 0} : *span;
    }
    const int legend = kName * static_cast<int>((chart_.lines.size() + 1) / 2);
    const double top = 30 + legend;
    return {{64, top, std::max(10.0, width() - 64.0 - 24), std::max(10.0, height() - top - 44)},
            niceAxis(x.low, x.high > x.low ? x.high : x.low + 1, 8, QString::fromStdString(chart_.xTitle)),
            niceAxis(std::min(0.0, y.low), y.high > std::min(0.0, y.low) ? y.high : y.low + 1, 5,
                     QString::fromStdString(chart_.yTitle))};
}

void ExperimentChart::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    if (chart_.lines.empty()) {
        return;
    }
    const Plot plot = this->plot();
    paintAxes(painter, plot, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
        const ChartLine& line = chart_.lines[i];
        const int index = static_cast<int>(i);
        const QColor colour = theme.run(index);
        QPolygonF points;
        for (std::size_t k = 0; k < std::min(line.x.size(), line.y.size()); ++k) {
            if (std::isfinite(line.x[k]) && std::isfinite(line.y[k])) {
                points << plot.at(line.x[k], line.y[k]);
            }
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(runPen(index, colour));
        painter.drawPolyline(points);
        constexpr qsizetype kFew = 40;  // more stand too near to each other
        for (qsizetype k = 0; points.size() <= kFew && k < points.size(); ++k) {
            drawRunSymbol(painter, points[k], 6, index, colour);
        }
        // Two columns of names above the axes.
        const double column = (width() - 64.0 - 24) / 2;
        const QPointF at(64 + column * (index % 2), 8 + kName * (index / 2) + kName / 2.0);
        painter.setPen(runPen(index, colour));
        painter.drawLine(at, at + QPointF(22, 0));
        drawRunSymbol(painter, at + QPointF(11, 0), 6, index, colour);
        painter.setFont(smallFont());
        painter.setPen(theme.text);
        const QString name = QString::fromStdString(line.name);
        painter.drawText(
            QRectF(at.x() + 28, at.y() - kName / 2.0, column - 32, kName), Qt::AlignVCenter,
            painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(column - 32)));
    }
}

}  // namespace tof::ui
