// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/view_chart.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/kit/theme.h"
#include "ui/pictures/slice_pane.h"

namespace tof::ui {

ViewChart::ViewChart(DataModel& model, QWidget* parent) : QWidget(parent), model_(model) {
    setObjectName("data.chart");
    setAccessibleName(tr("Counts by view"));
    setToolTip(tr("Counts of every view, one curve per tilt; click to show a view"));
}

QRectF ViewChart::plotArea() const {
    return {60, 26, std::max(10.0, width() - 60.0 - 84), std::max(10.0, height() - 26.0 - 42)};
}

std::optional<double> ViewChart::counts(int azimuth, int tilt) const {
    const auto view = model_.viewAt(azimuth, tilt);
    return view && *view < model_.totals().size() ? std::optional(model_.totals()[*view]) : std::nullopt;
}

std::pair<Axis, Axis> ViewChart::axes() const {
    double most = 0;
    double least = 1e300;
    for (const double n : model_.totals()) {
        most = std::max(most, n);
        least = std::min(least, n);
    }
    if (model_.fit()) {
        most = std::max(most, model_.fit()->expected);
        least = std::min(least, model_.fit()->expected);
    }
    Axis x = niceAxis(0, 180, 6, tr("azimuth, degrees"));
    x.ticks = {0, 30, 60, 90, 120, 150, 180};
    x.low = 0;
    x.high = 180;
    if (model_.ring() != nullptr) {
        x = niceAxis(0, std::max(1.0, static_cast<double>(model_.azimuths().size()) - 1), 6, tr("segment"));
    }
    if (model_.lines() != nullptr) {
        const double end = std::max(1.0, std::ceil(model_.azimuths().back()));
        x = niceAxis(-end, end, 6, tr("tilt, degrees"));
    }
    // Where the views differ little, their differences are what one looks for.
    const double from = least < most && least > 0.5 * most ? least - 0.15 * (most - least) : 0;
    return {x, niceAxis(from, most, 4, tr("counts by view"))};
}

QPointF ViewChart::place(int azimuth, int tilt) const {
    const auto [x, y] = axes();
    return chartPoint(plotArea(), x, y, model_.azimuths()[static_cast<std::size_t>(azimuth)],
                      counts(azimuth, tilt).value_or(0));
}

void ViewChart::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    if (model_.totals().empty()) {
        return;
    }
    const QRectF plot = plotArea();
    const auto [x, y] = axes();
    paintAxes(painter, plot, x, y, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    double lastLabel = 1e9;
    std::vector<std::pair<double, QString>> labels;
    for (int t = 0; t < static_cast<int>(model_.tilts().size()); ++t) {
        QPolygonF line;
        for (int a = 0; a < static_cast<int>(model_.azimuths().size()); ++a) {
            if (const auto n = counts(a, t)) {
                line << chartPoint(plot, x, y, model_.azimuths()[static_cast<std::size_t>(a)], *n);
            }
        }
        if (line.isEmpty()) {
            continue;
        }
        const bool mine = t == model_.tilt();
        painter.setPen(QPen(mine ? theme.text : theme.text3, mine ? 1.75 : 1));
        painter.drawPolyline(line);
        const double tilt = model_.tilts()[static_cast<std::size_t>(t)];
        if (model_.radial() && model_.tilts().size() < 2) {
            continue;  // one curve needs no name
        }
        labels.emplace_back(line.last().y(), model_.ring() != nullptr
                                                 ? tr("bin %1").arg(t + 1)
                                                 : numberText(tilt, 1) + QString(QChar(0x00b0)) +
                                                       (mine ? " " + tr("tilt") : ""));
    }
    // Names at the ends of the curves, pushed apart where they would touch.
    std::sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    painter.setFont(smallFont());
    for (const auto& [at, text] : labels) {
        const double py = std::min(at, lastLabel - 13);
        painter.setPen(theme.text2);
        painter.drawText(QPointF(plot.right() + 8, py + 4), text);
        lastLabel = py;
    }
    if (const auto n = counts(model_.azimuth(), model_.tilt())) {
        const double degrees = model_.azimuths()[static_cast<std::size_t>(model_.azimuth())];
        const QPointF at = chartPoint(plot, x, y, degrees, *n);
        painter.setBrush(theme.text);
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(at, 3.5, 3.5);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, 1.5));
        painter.drawEllipse(at, 8, 8);
        if (model_.fit()) {
            const QPointF e = chartPoint(plot, x, y, degrees, model_.fit()->expected);
            painter.drawLine(e - QPointF(7, 0), e + QPointF(7, 0));
            // Below where the title of the axis stands above.
            const double beside = e.y() < plot.top() + 18 ? 16 : -6;
            drawOutlined(painter, e + QPointF(12, beside), tr("expected"), smallFont(), theme.text2,
                         theme.plot);
        }
    }
}

void ViewChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || model_.totals().empty()) {
        return;
    }
    const auto [x, y] = axes();
    double nearest = 1e300;
    int azimuth = model_.azimuth();
    int tilt = model_.tilt();
    for (int t = 0; t < static_cast<int>(model_.tilts().size()); ++t) {
        for (int a = 0; a < static_cast<int>(model_.azimuths().size()); ++a) {
            if (counts(a, t)) {
                const QPointF d = place(a, t) - event->position();
                // Across counts more than along: the azimuth under the pointer is what is meant.
                const double distance = std::hypot(4 * d.x(), d.y());
                if (distance < nearest) {
                    nearest = distance;
                    azimuth = a;
                    tilt = t;
                }
            }
        }
    }
    model_.setView(azimuth, tilt);
}

QString ViewChart::toCsv() const {
    QString text = model_.lines() != nullptr  ? "tilt_deg,time_bin,counts\n"
                   : model_.ring() != nullptr ? "segment,time_bin,counts\n"
                                              : "azimuth_deg,tilt_deg,counts\n";
    for (int t = 0; t < static_cast<int>(model_.tilts().size()); ++t) {
        for (int a = 0; a < static_cast<int>(model_.azimuths().size()); ++a) {
            if (const auto n = counts(a, t)) {
                text += QString("%1,%2,%3\n")
                            .arg(model_.azimuths()[static_cast<std::size_t>(a)], 0, 'g', 9)
                            .arg(model_.tilts()[static_cast<std::size_t>(t)], 0, 'g', 9)
                            .arg(*n, 0, 'g', 9);
            }
        }
    }
    return text;
}

}  // namespace tof::ui
