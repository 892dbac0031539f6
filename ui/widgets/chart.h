// SPDX-License-Identifier: Apache-2.0
// Axes for charts painted with QPainter, and the chart of CRC against noise.
#pragma once

#include <QPen>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "ui/workspace.h"

class QPainter;

namespace tof::ui {

struct Theme;

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

/// Ground, grid, axis lines, numbers and titles; `plot` is the area inside the axes.
void paintAxes(QPainter& painter, const QRectF& plot, const Axis& x, const Axis& y, const Theme& theme);
[[nodiscard]] QPointF chartPoint(const QRectF& plot, const Axis& x, const Axis& y, double xv, double yv);

/// How a run's curve is drawn: solid, dashed, dash-dot, dotted, told apart without colour.
[[nodiscard]] QPen runPen(int index, const QColor& colour);
/// A number for files: nine digits, decimal point.
[[nodiscard]] QString cPoint(double value);

/// CRC against noise of every run, growing while they run. A click on a point shows that iterate; the wheel
/// zooms, a drag pans, a double-click or autoscale() shows everything again.
class CurveChart : public QWidget {
    Q_OBJECT

  public:
    explicit CurveChart(Workspace& workspace, QWidget* parent = nullptr);

    struct Point {
        int runId = 0;
        int iteration = 0;
        double x = 0;   ///< noise, %
        double y = 0;   ///< CRC, %
        double sd = 0;  ///< of CRC over spheres, %
    };
    [[nodiscard]] std::vector<Point> points() const;
    /// Where a point is in this widget.
    [[nodiscard]] QPointF place(const Point& point) const;
    void setLogarithmic(bool on);
    [[nodiscard]] bool logarithmic() const { return logarithmic_; }
    [[nodiscard]] bool autoscaled() const { return autoscale_; }
    void autoscale();
    /// One line per point: run, iterate, noise, CRC, SD; with a header that names the definitions.
    [[nodiscard]] QString toCsv() const;

  Q_SIGNALS:
    void scaleChanged();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    [[nodiscard]] QRectF plotArea() const;
    [[nodiscard]] std::pair<Axis, Axis> axes() const;
    [[nodiscard]] std::optional<Point> nearest(QPointF position) const;
    void paintRun(QPainter& painter, const QRectF& plot, const Axis& x, const Axis& y, int index);

    Workspace& workspace_;
    bool logarithmic_ = false;
    bool autoscale_ = true;
    double xLow_ = 0, xHigh_ = 1, yLow_ = 0, yHigh_ = 1;  ///< when not autoscaled
    QPointF press_;
    bool panning_ = false;
};

}  // namespace tof::ui
