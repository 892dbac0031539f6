// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart.h"

#include <QFileInfo>
#include <QMouseEvent>
#include <QPageSize>
#include <QPainter>
#include <QPainterPath>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "ui/charts/observer_curves.h"
#include "ui/charts/run_bands.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_curves.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/kit/label_placer.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/save_file.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/rois/roi_actions.h"

namespace tof::ui {

namespace {

/// Where an observer's figure lies along the axis of a kind of curve.
double observedAt(const ObserverRow& row, CurveKind kind) {
    return kind.againstNoise() ? 100 * row.noise : static_cast<double>(row.iteration);
}

}  // namespace

CurveChart::CurveChart(RunList& runs, RoiModel& rois, const RoiCurves& curves, const ObserverCurves& observer,
                       Screen& screen, const OpenStudy& study, QWidget* parent)
    : QWidget(parent), runs_(runs), rois_(rois), observer_(observer), screen_(screen), study_(study) {
    connect(&curves, &RoiCurves::changed, this, qOverload<>(&QWidget::update));
    connect(&observer, &ObserverCurves::changed, this, qOverload<>(&QWidget::update));
    setObjectName("chart.curve");
    setAccessibleName(tr("CRC against noise"));
    setMinimumHeight(220);
    setMouseTracking(true);
}

void CurveChart::setKind(CurveKind kind) {
    if (!(kind == kind_)) {
        kind_ = kind;
        setAccessibleName(kind.text());
        autoscale();
    }
}

std::optional<CurveChart::Point> CurveChart::pointOf(const RunItem& item, const Figures& f,
                                                     const RoiScale& scale) const {
    Point p{item.id(), f.iteration, static_cast<double>(f.iteration), 0, 0};
    switch (kind_.of) {
        case CurveKind::Of::CrcNoise: p.x = 100 * f.noise; [[fallthrough]];
        case CurveKind::Of::Crc:
            p.y = 100 * f.crc;
            p.sd = std::isfinite(f.crcSd) ? 100 * f.crcSd : 0;
            break;
        case CurveKind::Of::Noise: p.y = 100 * f.noise; break;
        case CurveKind::Of::Nsr: p.y = 100 * f.nsr; break;
        case CurveKind::Of::Objective:  // it comes with iterates, not with ROIs
        case CurveKind::Of::AucNoise:   // and these with groups of runs
        case CurveKind::Of::Auc: return std::nullopt;
        case CurveKind::Of::Roi: {
            const auto index = static_cast<std::size_t>(rois_.selected());
            if (rois_.selected() < 0 || index >= f.rois.size()) {
                return std::nullopt;
            }
            const auto value = roiValue(kind_.quantity, *rois_.selectedRoi(), f.rois[index], scale.kind);
            p.y = value ? exportedRoiValue(kind_.quantity, *value, scale.unit) : std::nan("");
        }
    }
    return std::isfinite(p.x) && std::isfinite(p.y) ? std::optional(p) : std::nullopt;
}

std::optional<double> CurveChart::truth() const {
    if (kind_.of != CurveKind::Of::CrcNoise && kind_.of != CurveKind::Of::Crc) {
        return std::nullopt;
    }
    const auto known = [](const RunItem* item) {
        return item != nullptr && !item->figures().empty() && std::isfinite(item->figures().back().trueCrc);
    };
    const RunItem* item = runs_.selected();
    for (const auto& other : runs_.items()) {  // the line stays while an image without a curve is looked at
        item = known(item) ? item : other.get();
    }
    return known(item) ? std::optional(100 * item->figures().back().trueCrc) : std::nullopt;
}

std::vector<CurveChart::Point> CurveChart::points() const {
    std::vector<Point> points;
    if (kind_.of == CurveKind::Of::Objective) {
        return objectives();
    }
    if (kind_.ofObserver()) {
        return observed();
    }
    for (const auto& item : runs_.items()) {
        const RoiScale scale = kind_.of == CurveKind::Of::Roi
                                   ? RoiScale{screen_.kindOf(*item), screen_.unitOf(*item)}
                                   : RoiScale();
        for (const Figures& f : item->figures()) {
            if (const auto p = pointOf(*item, f, scale)) {
                points.push_back(*p);
            }
        }
    }
    return points;
}

std::vector<CurveChart::Point> CurveChart::objectives() const {
    double best = -std::numeric_limits<double>::infinity();
    for (const auto& item : runs_.items()) {
        for (const StoredIterate& each : item->timing()) {
            best = std::max(best, each.objective ? each.objective->total() : best);
        }
    }
    std::vector<Point> points;
    for (const auto& item : runs_.items()) {
        for (const StoredIterate& each : item->timing()) {
            const double lacking = each.objective ? best - each.objective->total() : -1;
            if (lacking > 0 || (lacking == 0 && !logarithmic_)) {
                points.push_back(
                    {item->id(), each.iteration, static_cast<double>(each.iteration), lacking, 0});
            }
        }
    }
    return points;
}

std::vector<CurveChart::Point> CurveChart::observed() const {
    std::vector<Point> points;
    for (const ObserverCurves::Point& each : observer_.points()) {
        const ObserverRow& row = each.row;
        const double x = observedAt(row, kind_);
        if (std::isfinite(x)) {
            points.push_back({each.runId, row.iteration, x, row.task.area, row.task.sd});
        }
    }
    return points;
}

std::vector<BandPoint> CurveChart::bands() const {
    if (!kind_.ofObserver()) {
        return bandsOf(runs_, rois_, screen_, kind_, reader_);
    }
    std::vector<BandPoint> bands;
    for (const ObserverCurves::Point& each : observer_.points()) {
        const TaskFigures& task = each.row.task;
        bands.push_back(
            {each.runId, each.row.iteration, observedAt(each.row, kind_), task.low(), task.high()});
    }
    return bands;
}

std::vector<StrengthCurve> CurveChart::alongBeta() const {
    return kind_.of == CurveKind::Of::CrcNoise ? strengthCurves(runs_) : std::vector<StrengthCurve>{};
}

std::array<QString, 2> CurveChart::titles() const {
    using Of = CurveKind::Of;
    switch (kind_.of) {
        case Of::CrcNoise:
            return {tr("noise, % (SD / mean, central circle)"), tr("CRC, % (mean of spheres, bars: SD)")};
        case Of::Crc: return {tr("iterate"), tr("CRC, % (mean of spheres, bars: SD)")};
        case Of::Noise: return {tr("iterate"), tr("noise, % (SD / mean, first uniform ROI)")};
        case Of::Nsr: return {tr("iterate"), tr("NSR, % (mean SD / mean, uniform ROIs)")};
        case Of::Objective: return {tr("iterate"), tr("objective, less than the largest by")};
        case Of::AucNoise:
            return {tr("noise, % (mean of the replicates)"), tr("AUC of %1").arg(observer_.sphere())};
        case Of::Auc: return {tr("iterate"), tr("AUC of %1").arg(observer_.sphere())};
        case Of::Roi: break;
    }
    const RunItem* item = runs_.selected();
    const Roi* roi = rois_.selectedRoi();
    const auto& quantity = roiQuantities()[static_cast<std::size_t>(kind_.quantity)];
    const QString shownIn = item != nullptr ? unitWord(screen_.unitOf(*item)) : QString();
    const bool inUnits = roiValueHasUnit(kind_.quantity) && !shownIn.isEmpty();
    const QString title = Text::tr(quantity.title);  // "SD, %": what, unit
    const QString unit = inUnits ? shownIn : title.section(", ", 1);
    return {tr("iterate"), tr("%1 of %2")
                                   .arg(title.section(", ", 0, 0),
                                        roi != nullptr ? QString::fromStdString(roi->name) : tr("no ROI")) +
                               (unit.isEmpty() ? QString() : ", " + unit)};
}

QString CurveChart::definition() const {
    if (kind_.of == CurveKind::Of::Roi) {
        return Text::tr(roiQuantities()[static_cast<std::size_t>(kind_.quantity)].help);
    }
    if (kind_.of == CurveKind::Of::Objective) {
        return tr(
            "objective = log-likelihood - beta R, of runs with the setting 'objective'; runs of other data "
            "or "
            "another prior cannot be compared");
    }
    if (kind_.ofObserver()) {
        return tr(
            "AUC: how often an image with the sphere is rated above one without it by a model observer that "
            "learned from the others; bands: 95 %; runs of equal settings and other data are replicates, "
            "patches at uniform ROIs stand for images without the sphere");
    }
    return tr(
        "CRC = ((p_s - p_b)/p_b)/(true ratio - 1), mean and SD (n - 1) over spheres; noise = SD (n - "
        "1)/mean "
        "in the first uniform ROI; NSR: mean of SD/mean over uniform ROIs");
}

const Theme& CurveChart::theme() const {
    return export_.isValid() ? Theme::light() : Theme::of(*this);
}

QRectF CurveChart::plotArea() const {
    const double left = kind_.of == CurveKind::Of::Roi || kind_.ofObserver() ? 44 : 32;
    const double below = export_.isValid() ? 78 : 42;
    return {left, 30, canvas().width() - left - roomBesideLastNumber(), canvas().height() - 30.0 - below};
}

CurveChart::Drawn CurveChart::drawn() const {
    Drawn all{points(), bands(), alongBeta(), truth()};
    all.plot = ends_ ? plotBetween(*ends_) : plotAround(all);
    return all;
}

Plot CurveChart::plotBetween(const std::array<double, 4>& ends) const {
    const auto [xTitle, yTitle] = titles();
    const auto [xLow, xHigh, yLow, yHigh] = ends;
    const bool noise = kind_.againstNoise();
    Axis x = logarithmic_ && noise ? logAxis(xLow, xHigh, xTitle) : niceAxis(xLow, xHigh, 6, xTitle);
    Axis y = logarithmic_ && !noise ? logAxis(yLow, yHigh, yTitle) : niceAxis(yLow, yHigh, 7, yTitle);
    x.low = xLow;
    x.high = xHigh;
    y.low = yLow;
    y.high = yHigh;
    return {plotArea(), x, y};
}

Plot CurveChart::plotAround(const Drawn& all) const {
    const auto [xTitle, yTitle] = titles();
    const bool iterates = !kind_.againstNoise();
    const bool xLog = logarithmic_ && !iterates;
    const bool yLog = logarithmic_ && iterates;
    Span across;
    Span up;
    across.add(0);
    double xLeast = 1e300;  // the least of what is drawn, for a logarithmic axis
    const auto add = [&](double x, double low, double high) {
        across.add(x);
        xLeast = std::min(xLeast, x);
        up.add(low);
        up.add(high);
    };
    for (const Point& p : all.points) {
        add(p.x, p.y - p.sd, p.y + p.sd);
    }
    for (const BandPoint& band : all.bands) {
        add(band.x, band.low, band.high);
    }
    for (const StrengthCurve& curve : all.alongBeta) {
        for (const StrengthCurve::Point& p : curve.points) {
            add(100 * p.noise, 100 * p.crc, 100 * p.crc);
        }
    }
    if (all.truth && !up.empty()) {
        up.add(*all.truth);
    }
    if (up.empty()) {
        across.high = iterates ? 10 : 60;
        xLeast = iterates ? 1 : 5;
        up = {0, 70};
    }
    if (kind_.ofObserver()) {
        up = {0, 1};
    }
    if (!yLog) {
        // From zero, so that small changes do not look large.
        up.add(0);
    }
    const double room = kind_.ofObserver() ? 0 : 0.08;
    const double top = up.high + room * (up.high - up.low);
    return {plotArea(),
            xLog ? logAxis(xLeast, across.high, xTitle) : niceAxis(0, across.high * 1.12, 6, xTitle),
            yLog ? logAxis(up.low, up.high, yTitle)
                 : niceAxis(up.low, top > up.low ? top : up.low + 1, 7, yTitle)};
}

void CurveChart::paintRun(QPainter& painter, const Plot& plot, std::span<const Point> mine) {
    const Theme& colours = theme();
    const RunItem& item = *runs_.find(mine.front().runId);
    const QColor colour = colours.run(item.mark());
    QPolygonF line;
    for (const Point& p : mine) {
        line << plot.at(p.x, p.y);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    QColor faint = colour;
    faint.setAlphaF(0.5F);
    const bool selected = item.id() == runs_.selectedId();
    for (std::size_t i = 0; i < mine.size() && selected; ++i) {
        const double top = plot.at(mine[i].x, mine[i].y + mine[i].sd).y();
        const double bottom = plot.at(mine[i].x, mine[i].y - mine[i].sd).y();
        const double px = line[static_cast<int>(i)].x();
        painter.setPen(QPen(faint, 1));
        painter.drawLine(QPointF(px, top), QPointF(px, bottom));
        painter.drawLine(QPointF(px - 2.5, top), QPointF(px + 2.5, top));
        painter.drawLine(QPointF(px - 2.5, bottom), QPointF(px + 2.5, bottom));
    }
    painter.setPen(runPen(item.mark(), colour));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const QPointF at = line[static_cast<int>(i)];
        drawRunSymbol(painter, at, 7, item.mark(), colour);
        if (selected && mine[i].iteration == item.shownIterate()) {
            painter.setPen(QPen(colours.text, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(at, 8, 8);
        }
    }
}

/// A dashed line from run to run; a square is a strength that live tuning has left.
void CurveChart::paintAlongBeta(QPainter& painter, const Drawn& all) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme().plot);
    for (const StrengthCurve& curve : all.alongBeta) {
        QPolygonF line;
        for (const StrengthCurve::Point& p : curve.points) {
            line << placeOf(all.plot, p);
        }
        painter.setPen(QPen(theme().text2, 1.2, Qt::DashLine));
        painter.drawPolyline(line);
        painter.setPen(QPen(theme().text2, 1.2));
        for (const StrengthCurve::Point& p : curve.points) {
            if (p.iteration == 0) {
                painter.drawRect(QRectF(placeOf(all.plot, p) - QPointF(2.5, 2.5), QSizeF(5, 5)));
            }
        }
    }
    painter.setBrush(Qt::NoBrush);
}

struct CurveChart::Labelling {
    static constexpr double kNameReach = 160;
    static constexpr double kNumberReach = 11;

    const Drawn& all;
    LabelPlacer placer{all.plot.area.adjusted(1, 1, -1, -1)};
    QFontMetricsF bold{smallFont(QFont::DemiBold)};
    QFontMetricsF plain{smallFont()};
    std::vector<Label> labels{};

    /// Beside a place, where there is room; `label` comes without its box.
    bool put(QPointF at, Label label, double reach) {
        const QFontMetricsF& metrics = label.iteration == 0 ? bold : plain;
        const QSizeF size(metrics.horizontalAdvance(label.text) + 2, metrics.ascent() + metrics.descent());
        const auto box = placer.place(at, size, reach);
        if (box) {
            label.box = *box;
            labels.push_back(std::move(label));
        }
        return box.has_value();
    }
    /// Beside a point, where that is in sight and there is room.
    bool add(const Point& p, int iteration, const QString& text, double reach) {
        const QPointF at = all.plot.at(p.x, p.y);
        return all.plot.area.contains(at) && put(at, {p.runId, iteration, text, {}}, reach);
    }
};

void CurveChart::avoidCurves(Labelling& labelling) const {
    constexpr double kSymbol = 5;
    constexpr double kRing = 9;
    const Drawn& all = labelling.all;
    const Plot& plot = all.plot;
    LabelPlacer& placer = labelling.placer;
    const RunItem* selected = runs_.selected();
    const Point* before = nullptr;
    for (const Point& p : all.points) {
        const QPointF at = plot.at(p.x, p.y);
        const bool chosen = selected != nullptr && p.runId == selected->id();
        const double half = chosen && p.iteration == selected->shownIterate() ? kRing : kSymbol;
        placer.avoid(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half));
        if (before != nullptr && before->runId == p.runId) {
            placer.avoid(QLineF(plot.at(before->x, before->y), at));
        }
        if (chosen && p.sd > 0) {
            const double top = plot.at(p.x, p.y + p.sd).y();
            const double bottom = plot.at(p.x, p.y - p.sd).y();
            placer.avoid(QRectF(at.x() - 3, top, 6, bottom - top));
        }
        before = &p;
    }
    for (const StrengthCurve& curve : all.alongBeta) {
        for (std::size_t i = 0; i < curve.points.size(); ++i) {
            const QPointF at = placeOf(plot, curve.points[i]);
            placer.avoid(QRectF(at.x() - 3, at.y() - 3, 6, 6));
            if (i > 0) {
                placer.avoid(QLineF(placeOf(plot, curve.points[i - 1]), at));
            }
        }
    }
    if (all.truth) {
        const QPointF lineAt = plot.at(plot.x.low, *all.truth);
        placer.avoid(QLineF(lineAt, QPointF(plot.area.right(), lineAt.y())));
    }
}

/// Names stand at the end of their curves.
void CurveChart::nameRuns(Labelling& labelling) const {
    const double widest = 0.45 * labelling.all.plot.area.width();
    for (const std::span<const Point> run : byRun(labelling.all.points)) {
        const RunItem* item = runs_.find(run.back().runId);
        const QString name =
            labelling.bold.elidedText(item->label() + " " + item->name(), Qt::ElideMiddle, widest);
        if (!labelling.add(run.back(), 0, name, Labelling::kNameReach)) {
            labelling.add(run.back(), 0, item->label(), Labelling::kNameReach);
        }
    }
}

void CurveChart::nameStrengths(Labelling& labelling) const {
    for (const StrengthCurve& curve : labelling.all.alongBeta) {
        for (const StrengthCurve::Point& p : curve.points) {
            const QPointF at = placeOf(labelling.all.plot, p);
            if (p.iteration == 0 && labelling.all.plot.area.contains(at)) {  // the names of runs say theirs
                labelling.put(at, {p.runId, kBeta, tr("β %1").arg(compactNumber(p.beta, 2)), {}},
                              Labelling::kNumberReach);
            }
        }
    }
}

/// About five iterates of the selected run have their numbers, the first and the last among them.
void CurveChart::numberIterates(Labelling& labelling) const {
    for (const std::span<const Point> run : byRun(labelling.all.points)) {
        if (run.front().runId != runs_.selectedId()) {
            continue;
        }
        int step = 1;
        const int last = run.back().iteration;
        for (const int wider : {2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
            step = last / step > 5 ? wider : step;
        }
        for (const Point& p : run) {
            if (p.iteration == 1 || p.iteration == last || p.iteration % step == 0) {
                labelling.add(p, p.iteration, QString::number(p.iteration), Labelling::kNumberReach);
            }
        }
    }
}

std::vector<CurveChart::Label> CurveChart::labels(const Drawn& all) const {
    Labelling labelling{all};
    avoidCurves(labelling);
    if (all.truth) {
        const QPointF lineAt = all.plot.at(all.plot.x.low, *all.truth);
        if (all.plot.area.contains(QPointF(all.plot.area.center().x(), lineAt.y()))) {
            labelling.put(lineAt + QPointF(4, 0), {0, kTruth, tr("true activity"), {}},
                          Labelling::kNameReach);
        }
    }
    nameRuns(labelling);
    nameStrengths(labelling);
    numberIterates(labelling);
    return std::move(labelling.labels);
}

void CurveChart::paintLabels(QPainter& painter, const Drawn& all) const {
    const Theme& colours = theme();
    for (const Label& label : labels(all)) {
        const QFont font = smallFont(label.iteration == 0 ? QFont::DemiBold : QFont::Normal);
        const QColor ink =
            label.iteration == 0 ? colours.run(runs_.find(label.runId)->mark()) : colours.text2;
        drawOutlined(painter, label.box.topLeft() + QPointF(1, QFontMetricsF(font).ascent()), label.text,
                     font, ink, colours.plot);
    }
}

void CurveChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint(painter);
}

void CurveChart::paint(QPainter& painter) {
    const Theme& colours = theme();
    const Drawn all = drawn();
    const QRectF& plot = all.plot.area;
    paintAxes(painter, all.plot, colours);
    paintLevels(painter, all);
    painter.setClipRect(plot.adjusted(-6, -6, 10, 6));
    for (const std::span<const BandPoint> band : byRun(all.bands)) {
        paintBand(painter, all.plot, band, colours.run(runs_.find(band.front().runId)->mark()));
    }
    paintAlongBeta(painter, all);
    std::span<const Point> selected;  // above all others
    for (const std::span<const Point> run : byRun(all.points)) {
        if (run.front().runId == runs_.selectedId()) {
            selected = run;
        } else {
            paintRun(painter, all.plot, run);
        }
    }
    if (!selected.empty()) {
        paintRun(painter, all.plot, selected);
    }
    paintLabels(painter, all);
    if (all.points.empty()) {
        painter.setFont(smallFont());
        painter.setPen(colours.text2);
        painter.drawText(plot.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, whyNothing());
    }
}

/// Draws the lines of the chosen noise and of the true activity.
void CurveChart::paintLevels(QPainter& painter, const Drawn& all) const {
    const Plot& shown = all.plot;
    const QRectF& plot = shown.area;
    if (level_ && kind_.of == CurveKind::Of::CrcNoise) {
        const double at = std::floor(shown.at(*level_, shown.y.low).x()) + 0.5;
        if (at >= plot.left() && at <= plot.right()) {
            painter.setPen(QPen(theme().text3, 1, Qt::DashLine));
            painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
        }
    }
    if (all.truth) {
        const double at = std::floor(shown.at(shown.x.low, *all.truth).y()) + 0.5;
        if (at >= plot.top() && at <= plot.bottom()) {
            painter.setPen(QPen(theme().text2, 1, Qt::DashDotLine));
            painter.drawLine(QPointF(plot.left(), at), QPointF(plot.right(), at));
        }
    }
}

QString CurveChart::whyNothing() const {
    if (kind_.ofObserver()) {
        return observer_.busy() ? tr("images are rated") : observer_.whyNone();
    }
    if (kind_.of == CurveKind::Of::Roi && rois_.selected() < 0) {
        return tr("select an ROI in the table or in a picture");
    }
    return rois_.rois().empty() ? tr("CRC and noise need ROIs: none are known for this phantom")
                                : tr("a point appears with every iteration");
}

std::optional<CurveChart::Point> CurveChart::nearest(QPointF position) const {
    const Drawn all = drawn();
    std::optional<Point> best;
    double distance = 10;
    for (const Point& p : all.points) {
        const QPointF d = all.plot.at(p.x, p.y) - position;
        const double length = std::hypot(d.x(), d.y());
        if (length < distance) {
            distance = length;
            best = p;
        }
    }
    return best;
}

void CurveChart::mousePressEvent(QMouseEvent* event) {
    press_ = event->position();
    panning_ = false;
}

void CurveChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        const QPointF d = event->position() - press_;
        if (panning_ || d.manhattanLength() > 6) {
            const double dx = d.x() / plotArea().width();
            const double dy = d.y() / plotArea().height();
            keep(plot(), {-dx, 1 - dx}, {dy, 1 + dy});
            panning_ = true;
            press_ = event->position();
        }
        return;
    }
    const auto p = nearest(event->position());
    setCursor(p ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (!p) {
        setToolTip({});
        return;
    }
    const RunItem* item = runs_.find(p->runId);
    const QString what = kind_.of == CurveKind::Of::CrcNoise
                             ? tr("CRC %1 ± %2 %, noise %3 %")
                                   .arg(numberText(p->y, 1), numberText(p->sd, 1), numberText(p->x, 1))
                             : tr("%1: %2").arg(titles()[1], compactNumber(p->y, 4));
    QString tip = tr("%1 %2, iterate %3: %4; click shows it")
                      .arg(item->label(), item->name(), QString::number(p->iteration), what);
    for (const BandPoint& band : bands()) {
        if (band.runId == p->runId && band.iteration == p->iteration) {
            if (kind_.ofObserver()) {
                tip += "\n" + tr("interval of 95 %: %1 to %2")
                                  .arg(compactNumber(band.low, 3), compactNumber(band.high, 3));
                continue;
            }
            const int replicates = reader_.of(*item).replicates;
            tip += "\n" + tr("95 of 100 replicates: %1 to %2; %n replicates", "", replicates)
                              .arg(compactNumber(band.low, 3), compactNumber(band.high, 3));
        }
    }
    setToolTip(tip);
}

void CurveChart::mouseReleaseEvent(QMouseEvent* event) {
    if (panning_) {
        return;
    }
    if (const auto p = nearest(event->position())) {
        runs_.select(p->runId);
        runs_.showIterate(p->runId, p->iteration);
    }
}

void CurveChart::scaleTo(const std::optional<std::array<double, 4>>& ends) {
    ends_ = ends;
    Q_EMIT scaleChanged();
    update();
}

void CurveChart::wheelEvent(QWheelEvent* event) {
    const Plot plot = this->plot();
    const double factor = std::pow(0.8, event->angleDelta().y() / 120.0);
    // What is under the pointer stays there.
    const auto about = [factor](double share) {
        return std::array{share - share * factor, share + (1 - share) * factor};
    };
    const QPointF at = plot.shares(event->position());
    keep(plot, about(at.x()), about(at.y()));
    event->accept();
}

QString CurveChart::header() const {
    QString text = exportTitle(study_);
    for (const auto& item : runs_.items()) {
        if (!item->figures().empty()) {
            text += "# " + exportRun(*item) + "\n";
        }
    }
    return text;
}

QStringList CurveChart::columns() const {
    switch (kind_.of) {
        case CurveKind::Of::CrcNoise:
            return {"run", "iteration", "noise_percent", "crc_percent", "crc_sd_percent"};
        case CurveKind::Of::AucNoise: return {"run", "iteration", "noise_percent", "auc", "auc_sd"};
        case CurveKind::Of::Auc: return {"run", "iteration", "auc", "auc_sd"};
        default: return {"run", "iteration", "value", "sd"};
    }
}

QString CurveChart::toTable(QChar between) const {
    const bool noise = kind_.againstNoise();
    QString text = header() + "# " + definition() + "; per cent where the column says so\n";
    if (const auto known = truth()) {
        text += "# CRC of the true activity: " + cPoint(*known) + " %\n";
    }
    for (const StrengthCurve& curve : alongBeta()) {
        for (const StrengthCurve::Point& p : curve.points) {
            text += QString("# along beta, run %1: beta %2, noise %3 %, CRC %4 %\n")
                        .arg(runs_.find(p.runId)->label(), cPoint(p.beta), cPoint(100 * p.noise),
                             cPoint(100 * p.crc));
        }
    }
    if (kind_.of != CurveKind::Of::CrcNoise) {
        text += "# value: " + titles()[1] + "\n";
    }
    QStringList titles = columns();
    const std::vector<BandPoint> ofReplicates = bands();
    if (!ofReplicates.empty()) {
        // Only runs with replicates have them, so that tables of others stay as they were.
        titles += kind_.ofObserver() ? QStringList{"auc_low", "auc_high"}
                  : noise ? QStringList{"band_noise_percent", "band_low_percent", "band_high_percent"}
                          : QStringList{"band_low", "band_high"};
    }
    text += titles.join(between) + "\n";
    for (const Point& p : points()) {
        const RunItem* item = runs_.find(p.runId);
        const QString name = item->label() + " " + item->name();
        QStringList cells{between == ',' ? csvCell(name) : QString(name).replace('\t', ' '),
                          QString::number(p.iteration)};
        if (noise) {
            cells << cPoint(p.x);
        }
        cells << cPoint(p.y) << cPoint(p.sd);
        const auto band = std::find_if(ofReplicates.begin(), ofReplicates.end(), [&p](const BandPoint& b) {
            return b.runId == p.runId && b.iteration == p.iteration;
        });
        if (band != ofReplicates.end()) {
            if (noise && !kind_.ofObserver()) {
                cells << cPoint(band->x);
            }
            cells << cPoint(band->low) << cPoint(band->high);
        }
        while (cells.size() < titles.size()) {
            cells << QString();
        }
        text += cells.join(between) + "\n";
    }
    return text;
}

void CurveChart::save(const QString& file) {
    constexpr QSize kSize(640, 480);
    const auto cannot = [&] {
        return CannotWrite(
            tr("%1: cannot be written; check the folder and its permissions").arg(file).toStdString());
    };
    const QString kind = QFileInfo(file).suffix().toLower();
    if (kind == "csv" || kind == "tsv") {
        writeTextAside(file.toStdString(), toTable(kind == "csv" ? ',' : '\t').toStdString());
        return;
    }
    const auto paintOn = [&](QPaintDevice& device, double scale) {
        QPainter painter;
        if (!painter.begin(&device)) {
            throw cannot();
        }
        painter.scale(scale, scale);
        export_ = kSize;
        painter.fillRect(QRect({}, kSize), theme().plot);
        paint(painter);
        painter.setClipping(false);
        painter.setFont(smallFont());
        painter.setPen(theme().text2);
        painter.drawText(QRectF(8, kSize.height() - 36, kSize.width() - 16.0, 34), Qt::TextWordWrap,
                         definition());
        export_ = {};
        painter.end();
    };
    if (kind == "png") {
        QImage image(kSize * 2, QImage::Format_RGB32);
        paintOn(image, 2);
        image.setText("Description", header() + definition());
        if (!image.save(file, "PNG")) {
            throw cannot();
        }
    } else if (kind == "svg") {
        QSvgGenerator svg;
        svg.setFileName(file);
        svg.setSize(kSize);
        svg.setViewBox(QRect({}, kSize));
        svg.setTitle(kind_.text());
        svg.setDescription(header() + definition());
        paintOn(svg, 1);
    } else if (kind == "pdf") {
        QPdfWriter pdf(file);
        pdf.setResolution(96);
        pdf.setPageSize(QPageSize(QSizeF(kSize) * 0.75, QPageSize::Point));
        pdf.setPageMargins({});
        pdf.setTitle(kind_.text());
        paintOn(pdf, 1);
    } else {
        throw WrongUse(tr("%1: a chart is written as .csv, .png, .svg or .pdf").arg(file).toStdString());
    }
}

}  // namespace tof::ui
