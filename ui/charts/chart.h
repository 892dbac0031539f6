// SPDX-License-Identifier: Apache-2.0
// The chart of CRC against noise, and of values against the iterate.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "ui/charts/run_bands.h"
#include "ui/charts/strength_curves.h"

class QPainter;

namespace tof::ui {

class ObserverCurves;
class OpenStudy;
class RoiCurves;
struct Theme;

/// A curve for every run, growing while they run: CRC against noise, or a value against the iterate. A click
/// on a point shows that iterate; the wheel zooms, a drag pans, a double-click or autoscale() shows
/// everything again.
class CurveChart : public QWidget {
    Q_OBJECT

  public:
    explicit CurveChart(RunList& runs, RoiModel& rois, const RoiCurves& curves,
                        const ObserverCurves& observer, Screen& screen, const OpenStudy& study,
                        QWidget* parent = nullptr);

    struct Point {
        int runId = 0;
        int iteration = 0;
        double x = 0;   ///< noise, %, or the iterate
        double y = 0;   ///< CRC, %, or what the kind says
        double sd = 0;  ///< SD of CRC over spheres, %
    };
    /// The name of a run beside its curve, or the number of an iterate beside its point.
    struct Label {
        int runId = 0;
        int iteration = 0;  ///< 0: the run's name; kTruth: of the true activity's line, of no run; kBeta
        QString text;
        QRectF box;  ///< in this widget
    };
    static constexpr int kTruth = -1;
    static constexpr int kBeta = -2;  ///< the strength of a prior beside its point
    /// All that have room: none touches a point, a line, an error bar, another label or the border.
    [[nodiscard]] std::vector<Label> labels() const { return labels(drawn()); }
    void setKind(CurveKind kind);
    [[nodiscard]] CurveKind kind() const { return kind_; }
    [[nodiscard]] std::vector<Point> points() const;
    /// Curves along the strength of priors, where the kind is CRC against noise.
    [[nodiscard]] std::vector<StrengthCurve> alongBeta() const;
    /// What every iterate's objective lacks of the largest.
    [[nodiscard]] std::vector<Point> objectives() const;
    /// What an observer makes of replicates, at the first run of each group.
    [[nodiscard]] std::vector<Point> observed() const;
    /// Where a point is in this widget.
    [[nodiscard]] QPointF place(const Point& point) const { return plot().at(point.x, point.y); }
    /// The noise axis, or the value's against the iterate.
    void setLogarithmic(bool on) {
        logarithmic_ = on;
        autoscale();
    }
    [[nodiscard]] bool logarithmic() const { return logarithmic_; }
    [[nodiscard]] bool autoscaled() const { return !ends_; }
    void autoscale() { scaleTo({}); }
    /// Lower and upper end across, then up, where they were chosen by hand; empty while autoscaled.
    [[nodiscard]] const std::optional<std::array<double, 4>>& ends() const { return ends_; }
    /// Upper ends are to be the larger ones; else without effect.
    void setEnds(const std::array<double, 4>& ends) {
        if (ends[0] < ends[1] && ends[2] < ends[3]) {
            scaleTo(ends);
        }
    }
    /// One line per point: run, iterate, x, y, SD; with a header of program, study, runs and definitions.
    [[nodiscard]] QString toCsv() const { return toTable(','); }
    /// That with another character between cells.
    [[nodiscard]] QString toTable(QChar between) const;
    /// Writes the chart by the extension: .csv, .tsv, .png (twice the size), .svg, .pdf; pictures in the
    /// colours of the light theme, on white, with the definitions below. Throws WrongUse for others,
    /// CannotWrite.
    void save(const QString& file);
    /// CRC of the phantom's own activity by the ROIs and voxels of the selected run, or of the first that has
    /// a curve, %, where it is known and the kind shows CRC: a line beside the curves.
    [[nodiscard]] std::optional<double> truth() const;
    /// A level of noise, %, marked by a line; empty: none.
    void setNoiseLevel(std::optional<double> percent) {
        if (percent != level_) {
            level_ = percent;
            update();
        }
    }

  Q_SIGNALS:
    void scaleChanged();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent*) override { autoscale(); }
    void wheelEvent(QWheelEvent* event) override;

  private:
    /// Everything that is drawn. It is found once for a picture: finding it takes a look at every iterate of
    /// every run.
    struct Drawn {
        std::vector<Point> points;
        std::vector<BandPoint> bands;
        std::vector<StrengthCurve> alongBeta;
        std::optional<double> truth;
        Plot plot{};
    };
    /// How values of the ROIs of a run are shown. Its unit depends on all runs: it is asked for once per run.
    struct RoiScale {
        KindRow kind;
        DisplayUnit unit;
    };
    /// Labels as far as they have been placed.
    struct Labelling;
    [[nodiscard]] Drawn drawn() const;
    [[nodiscard]] QRectF plotArea() const;
    [[nodiscard]] Plot plot() const { return ends_ ? plotBetween(*ends_) : drawn().plot; }
    [[nodiscard]] Plot plotBetween(const std::array<double, 4>& ends) const;
    /// The plot shows all of it.
    [[nodiscard]] Plot plotAround(const Drawn& all) const;
    [[nodiscard]] std::optional<Point> nearest(QPointF position) const;
    void paint(QPainter& painter);
    void paintLevels(QPainter& painter, const Drawn& all) const;
    void paintRun(QPainter& painter, const Plot& plot, std::span<const Point> mine);
    void paintAlongBeta(QPainter& painter, const Drawn& all) const;
    [[nodiscard]] static QPointF placeOf(const Plot& plot, const StrengthCurve::Point& point) {
        return plot.at(100 * point.noise, 100 * point.crc);
    }
    [[nodiscard]] std::optional<Point> pointOf(const RunItem& item, const Figures& figures,
                                               const RoiScale& scale) const;
    [[nodiscard]] std::array<QString, 2> titles() const;
    [[nodiscard]] QString definition() const;
    [[nodiscard]] QString header() const;
    [[nodiscard]] std::vector<Label> labels(const Drawn& all) const;
    void paintLabels(QPainter& painter, const Drawn& all) const;
    void avoidCurves(Labelling& labelling) const;
    void nameRuns(Labelling& labelling) const;
    void nameStrengths(Labelling& labelling) const;
    void numberIterates(Labelling& labelling) const;
    [[nodiscard]] const Theme& theme() const;
    [[nodiscard]] QSize canvas() const { return export_.isValid() ? export_ : size(); }
    void scaleTo(const std::optional<std::array<double, 4>>& ends);
    /// Keeps the ends at these shares of the axes from now on.
    void keep(const Plot& plot, std::array<double, 2> xShares, std::array<double, 2> yShares) {
        scaleTo(std::array{plot.x.value(xShares[0]), plot.x.value(xShares[1]), plot.y.value(yShares[0]),
                           plot.y.value(yShares[1])});
    }
    /// What replicates say of these curves.
    [[nodiscard]] std::vector<BandPoint> bands() const;
    /// Titles of a table's columns, but for those of bands.
    [[nodiscard]] QStringList columns() const;
    /// What stands in the place of curves that are not there.
    [[nodiscard]] QString whyNothing() const;

    RunList& runs_;
    RoiModel& rois_;
    const ObserverCurves& observer_;
    Screen& screen_;
    const OpenStudy& study_;
    mutable BandReader reader_;
    CurveKind kind_;
    QSize export_;  ///< valid while a file is painted
    std::optional<double> level_;
    bool logarithmic_ = false;
    std::optional<std::array<double, 4>> ends_;
    QPointF press_;
    bool panning_ = false;
};

}  // namespace tof::ui
