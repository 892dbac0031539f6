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

#include "ui/desk/desk.h"
#include "ui/desk/roi_quantity.h"

class QPainter;

namespace tof::ui {

class LabelPlacer;
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
/// Ground, grid, axis lines, numbers and titles.
void paintAxes(QPainter& painter, const Plot& plot, const Theme& theme);

/// How a run's curve is drawn: solid, dashed, dash-dot, dotted, told apart without colour.
[[nodiscard]] QPen runPen(int index, const QColor& colour);
/// A number for files: nine digits, decimal point.
[[nodiscard]] QString cPoint(double value);

/// What a CurveChart shows: CRC against noise, or something against the iterate.
struct CurveKind {
    enum class Of { CrcNoise, Crc, Noise, Nsr, Roi };
    Of of = Of::CrcNoise;
    RoiQuantity::Kind quantity = RoiQuantity::Kind::Mean;  ///< of the selected ROI

    [[nodiscard]] bool operator==(const CurveKind&) const = default;
    /// "crc-noise", "crc", "noise", "nsr", "roi-mean"...: for scripts and commands.
    [[nodiscard]] QString id() const;
    /// "CRC against noise", "mean of the ROI": for menus.
    [[nodiscard]] QString text() const;
};
/// All of them; the first is CRC against noise.
[[nodiscard]] const std::vector<CurveKind>& curveKinds();

/// A curve for every run, growing while they run: CRC against noise, or a value against the iterate. A click
/// on a point shows that iterate; the wheel zooms, a drag pans, a double-click or autoscale() shows
/// everything again.
class CurveChart : public QWidget {
    Q_OBJECT

  public:
    explicit CurveChart(Desk& desk, QWidget* parent = nullptr);

    struct Point {
        int runId = 0;
        int iteration = 0;
        double x = 0;   ///< noise, %, or the iterate
        double y = 0;   ///< CRC, %, or what the kind says
        double sd = 0;  ///< of CRC over spheres, %
    };
    /// The name of a run beside its curve, or the number of an iterate beside its point.
    struct Label {
        int runId = 0;
        int iteration = 0;  ///< 0: the run's name
        QString text;
        QRectF box;  ///< in this widget
    };
    /// All that have room: none touches a point, a line, an error bar, another label or the border.
    [[nodiscard]] std::vector<Label> labels() const;
    void setKind(CurveKind kind);
    [[nodiscard]] CurveKind kind() const { return kind_; }
    [[nodiscard]] std::vector<Point> points() const;
    /// Where a point is in this widget.
    [[nodiscard]] QPointF place(const Point& point) const;
    /// The noise axis, or the value's against the iterate.
    void setLogarithmic(bool on);
    [[nodiscard]] bool logarithmic() const { return logarithmic_; }
    [[nodiscard]] bool autoscaled() const { return !ends_; }
    void autoscale();
    /// Lower and upper end across, then up, where they were chosen by hand; empty while autoscaled.
    [[nodiscard]] const std::optional<std::array<double, 4>>& ends() const { return ends_; }
    /// Upper ends are to be the larger ones; else without effect.
    void setEnds(const std::array<double, 4>& ends);
    /// One line per point: run, iterate, x, y, SD; with a header of program, study, runs and definitions.
    [[nodiscard]] QString toCsv() const;
    /// Writes the chart by the extension: .csv, .png (twice the size), .svg, .pdf; pictures in the colours of
    /// the light theme, on white, with the definitions below. Throws WrongUse for others, CannotWrite.
    void save(const QString& file);
    /// A level of noise, %, marked by a line; empty: none.
    void setNoiseLevel(std::optional<double> percent);

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
    [[nodiscard]] Plot plot() const;
    [[nodiscard]] std::optional<Point> nearest(QPointF position) const;
    void paint(QPainter& painter);
    void paintRun(QPainter& painter, const Plot& plot, int index);
    [[nodiscard]] std::optional<Point> pointOf(const RunItem& item, const Figures& figures) const;
    [[nodiscard]] std::array<QString, 2> titles() const;
    [[nodiscard]] QString definition() const;
    [[nodiscard]] QString header() const;
    void paintLabels(QPainter& painter) const;
    void avoidCurves(LabelPlacer& placer) const;
    [[nodiscard]] bool hasBars(const Point& point) const;
    [[nodiscard]] const Theme& theme() const;
    [[nodiscard]] QSize canvas() const { return export_.isValid() ? export_ : size(); }
    /// Keeps the ends at these shares of the axes from now on.
    void keep(const Plot& plot, std::array<double, 2> xShares, std::array<double, 2> yShares);

    Desk& desk_;
    CurveKind kind_;
    QSize export_;  ///< valid while a file is painted
    std::optional<double> level_;
    bool logarithmic_ = false;
    std::optional<std::array<double, 4>> ends_;
    QPointF press_;
    bool panning_ = false;
};

}  // namespace tof::ui
