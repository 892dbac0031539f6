// SPDX-License-Identifier: Apache-2.0
// Axes for charts painted with QPainter.
#pragma once

#include <QPen>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <algorithm>
#include <cmath>
#include <vector>

class QPainter;

namespace tof::ui {

struct Theme;

/// What numbers span, of those that are finite.
struct Span {
    double low = 1e300;
    double high = -1e300;

    void add(double value) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    [[nodiscard]] bool empty() const { return high < low; }
};

/// One axis: what it spans, where its numbers are, what it says.
struct Axis {
    double low = 0;
    double high = 1;
    std::vector<double> ticks;
    QString title;
    bool logarithmic = false;

    /// Where a value lies between the ends, 0..1 and beyond.
    [[nodiscard]] double share(double value) const;
    [[nodiscard]] double value(double share) const;
};

/// An axis with about `count` round numbers that covers [low, high].
[[nodiscard]] Axis niceAxis(double low, double high, int count, const QString& title);
/// Powers of ten (with 2 and 5 where there is room) that cover [low, high]; low is made positive.
[[nodiscard]] Axis logAxis(double low, double high, const QString& title);

/// The area inside two axes.
struct Plot {
    QRectF area;
    Axis x;
    Axis y;

    [[nodiscard]] QPointF at(double xv, double yv) const {
        return {area.left() + x.share(xv) * area.width(), area.bottom() - y.share(yv) * area.height()};
    }
    /// Shares of the axes at a place.
    [[nodiscard]] QPointF shares(QPointF place) const {
        return {(place.x() - area.left()) / area.width(), (area.bottom() - place.y()) / area.height()};
    }
};
/// Room at the right of a plot for the half of the last number that stands beyond its end, px.
[[nodiscard]] double roomBesideLastNumber();

/// Ground, grid, axis lines, numbers and titles.
void paintAxes(QPainter& painter, const Plot& plot, const Theme& theme);

/// The line of RunItem::mark(): solid, dashed, dash-dot, dotted in turn, told apart without colour.
[[nodiscard]] QPen runPen(int mark, const QColor& colour);
/// A number for files: nine digits, decimal point.
[[nodiscard]] QString cPoint(double value);

}  // namespace tof::ui
