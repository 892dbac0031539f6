// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/view_chart.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/kit/theme.h"
#include "ui/pages/data_words.h"
#include "ui/pictures/slice_pane.h"

namespace tof::ui {

ViewChart::ViewChart(DataModel& model, QWidget* parent) : QWidget(parent), model_(model) {
    setObjectName("data.chart");
    setAccessibleName(tr("Counts by view"));
    setToolTip(tr("Counts of every view, one curve per tilt; click to show a view"));
}

std::optional<double> ViewChart::counts(int first, int second) const {
    const auto view = model_.viewAt(first, second);
    return view && *view < model_.totals().size() ? std::optional(model_.totals()[*view]) : std::nullopt;
}

Plot ViewChart::plot() const {
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
    // Where the views differ little, their differences are what one looks for.
    const double from = least < most && least > 0.5 * most ? least - 0.15 * (most - least) : 0;
    return {{60, 26, std::max(10.0, width() - 60.0 - 84), std::max(10.0, height() - 26.0 - 42)},
            model_.words().axis(model_.first()),
            niceAxis(from, most, 4, tr("counts by view"))};
}

double ViewChart::valueAt(int first) const {
    return model_.first().values[static_cast<std::size_t>(first)];
}

QPointF ViewChart::place(int first, int second) const {
    return plot().at(valueAt(first), counts(first, second).value_or(0));
}

void ViewChart::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.win);
    if (model_.totals().empty()) {
        return;
    }
    const Plot plot = this->plot();
    paintAxes(painter, plot, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    const DataWords words = model_.words();
    double lastLabel = 1e9;
    std::vector<std::pair<double, QString>> labels;
    for (int t = 0; t < static_cast<int>(model_.second().values.size()); ++t) {
        QPolygonF line;
        for (int a = 0; a < static_cast<int>(model_.first().values.size()); ++a) {
            if (const auto n = counts(a, t)) {
                line << plot.at(valueAt(a), *n);
            }
        }
        if (line.isEmpty()) {
            continue;
        }
        const bool mine = t == model_.secondIndex();
        painter.setPen(QPen(mine ? theme.text : theme.text3, mine ? 1.75 : 1));
        painter.drawPolyline(line);
        if (words.captions[0].isEmpty() || model_.second().values.size() > 1) {  // one curve needs no name
            const QString name =
                words.curve(model_.second(), static_cast<std::size_t>(t),
                            mine ? DataWords::CurveOf::ShownView : DataWords::CurveOf::OtherViews);
            if (!name.isEmpty()) {
                labels.emplace_back(line.last().y(), name);
            }
        }
    }
    // Names at the ends of the curves, pushed apart where they would touch.
    std::sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    painter.setFont(smallFont());
    for (const auto& [at, text] : labels) {
        const double py = std::min(at, lastLabel - 13);
        painter.setPen(theme.text2);
        painter.drawText(QPointF(plot.area.right() + 8, py + 4), text);
        lastLabel = py;
    }
    if (const auto n = counts(model_.firstIndex(), model_.secondIndex())) {
        const double value = valueAt(model_.firstIndex());
        const QPointF at = plot.at(value, *n);
        painter.setClipRect(plot.area.adjusted(-4, -12, 12, 12));  // at the edge it covers no number
        painter.setBrush(theme.text);
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(at, 3.5, 3.5);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, 1.5));
        painter.drawEllipse(at, 8, 8);
        painter.setClipping(false);
        if (model_.fit()) {
            const QPointF e = plot.at(value, model_.fit()->expected);
            painter.drawLine(e - QPointF(7, 0), e + QPointF(7, 0));
            // Below where the title of the axis stands above.
            const double beside = e.y() < plot.area.top() + 18 ? 16 : -6;
            drawOutlined(painter, e + QPointF(12, beside), tr("expected"), smallFont(), theme.text2,
                         theme.plot);
        }
    }
}

void ViewChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || model_.totals().empty()) {
        return;
    }
    double nearest = 1e300;
    int first = model_.firstIndex();
    int second = model_.secondIndex();
    for (int t = 0; t < static_cast<int>(model_.second().values.size()); ++t) {
        for (int a = 0; a < static_cast<int>(model_.first().values.size()); ++a) {
            if (counts(a, t)) {
                const QPointF d = place(a, t) - event->position();
                // Across counts more than along: the value under the pointer is what is meant.
                const double distance = std::hypot(4 * d.x(), d.y());
                if (distance < nearest) {
                    nearest = distance;
                    first = a;
                    second = t;
                }
            }
        }
    }
    model_.setView(first, second);
}

QString ViewChart::toCsv() const {
    QString text = model_.words().csvHead + ",counts\n";
    if (model_.data() == nullptr) {
        return text;
    }
    for (int t = 0; t < static_cast<int>(model_.second().values.size()); ++t) {
        for (int a = 0; a < static_cast<int>(model_.first().values.size()); ++a) {
            if (const auto n = counts(a, t)) {
                text += QString("%1,%2,%3\n")
                            .arg(valueAt(a), 0, 'g', 9)
                            .arg(model_.second().values[static_cast<std::size_t>(t)], 0, 'g', 9)
                            .arg(*n, 0, 'g', 9);
            }
        }
    }
    return text;
}

}  // namespace tof::ui
