// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/chart.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "recon/metrics/profile.h"
#include "ui/theme.h"
#include "ui/widgets/slice_pane.h"

namespace tof::ui {

namespace {

constexpr std::size_t kHistogramBins = 128;
constexpr double kPeakReach_mm = 12;

/// Solid, dashed, dash-dot, dotted: told apart without colour.
QPen runPen(int index, const QColor& colour) {
    QPen pen(colour, 1.75);
    pen.setJoinStyle(Qt::RoundJoin);
    switch (index % 4) {
        case 1: pen.setDashPattern({4, 2.5}); break;
        case 2: pen.setDashPattern({5, 2, 1, 2}); break;
        case 3: pen.setDashPattern({1, 2}); break;
        default: break;
    }
    return pen;
}

QString axisNumber(double value, double step) {
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    if (std::abs(value) >= 1e5) {
        return compactNumber(value, 3);
    }
    return numberText(value, decimals);
}

QString cPoint(double value) {
    return QString::number(value, 'g', 9);
}

}  // namespace

double Axis::share(double value) const {
    if (logarithmic) {
        return value > 0 ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low)) : -1;
    }
    return (value - low) / (high - low);
}

double Axis::value(double share) const {
    return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
}

Axis niceAxis(double low, double high, int count, const QString& title) {
    Axis axis;
    axis.title = title;
    if (!(high > low)) {
        high = low + 1;
    }
    const double rough = (high - low) / std::max(1, count);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (factor * power >= rough * 0.999) {
            step = factor * power;
            break;
        }
    }
    axis.low = std::floor(low / step + 1e-9) * step;
    axis.high = std::ceil(high / step - 1e-9) * step;
    const auto n = static_cast<int>(std::lround((axis.high - axis.low) / step));
    for (int i = 0; i <= n; ++i) {
        axis.ticks.push_back(axis.low + i * step);
    }
    return axis;
}

Axis logAxis(double low, double high, const QString& title) {
    Axis axis;
    axis.title = title;
    axis.logarithmic = true;
    high = high > 0 ? high : 1;
    low = low > 0 ? std::min(low, high / 2) : high / 1000;
    std::vector<double> numbers;
    for (double power = std::pow(10.0, std::floor(std::log10(low))); power < high * 10; power *= 10) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            numbers.push_back(factor * power);
        }
    }
    const auto above = std::upper_bound(numbers.begin(), numbers.end(), low * (1 + 1e-9));
    const auto first = above == numbers.begin() ? above : above - 1;
    const auto last = std::lower_bound(numbers.begin(), numbers.end(), high * (1 - 1e-9));
    axis.low = *first;
    axis.high = last != numbers.end() ? *last : numbers.back();
    axis.ticks.assign(first, last != numbers.end() ? last + 1 : last);
    return axis;
}

QPointF chartPoint(const QRectF& plot, const Axis& x, const Axis& y, double xv, double yv) {
    return {plot.left() + x.share(xv) * plot.width(), plot.bottom() - y.share(yv) * plot.height()};
}

void paintAxes(QPainter& painter, const QRectF& plot, const Axis& x, const Axis& y, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(plot, theme.plot);
    painter.setFont(smallFont());
    const QFontMetricsF metrics(smallFont());
    const double xStep = x.ticks.size() > 1 ? x.ticks[1] - x.ticks[0] : 1;
    const double yStep = y.ticks.size() > 1 ? y.ticks[1] - y.ticks[0] : 1;
    const auto crisp = [](double v) { return std::floor(v) + 0.5; };
    double lastRight = -1e9;
    for (const double tick : x.ticks) {
        const double px = crisp(plot.left() + x.share(tick) * plot.width());
        if (px < plot.left() - 1 || px > plot.right() + 1.5) {
            continue;
        }
        painter.setPen(theme.grid);
        painter.drawLine(QPointF(px, plot.top()), QPointF(px, plot.bottom()));
        const QString text = axisNumber(tick, x.logarithmic ? std::min(1.0, tick) : xStep);
        const double w = metrics.horizontalAdvance(text);
        if (px - w / 2 > lastRight + 6) {
            painter.setPen(theme.text2);
            painter.drawText(QPointF(px - w / 2, plot.bottom() + 6 + metrics.ascent()), text);
            lastRight = px + w / 2;
        }
    }
    double lastTop = 1e9;
    for (const double tick : y.ticks) {
        const double py = crisp(plot.bottom() - y.share(tick) * plot.height());
        if (py < plot.top() - 1.5 || py > plot.bottom() + 1.5) {
            continue;
        }
        painter.setPen(theme.grid);
        painter.drawLine(QPointF(plot.left(), py), QPointF(plot.right(), py));
        const QString text = axisNumber(tick, y.logarithmic ? std::min(1.0, tick) : yStep);
        if (py + metrics.capHeight() / 2 < lastTop - 2) {
            painter.setPen(theme.text2);
            painter.drawText(
                QPointF(plot.left() - 6 - metrics.horizontalAdvance(text), py + metrics.capHeight() / 2),
                text);
            lastTop = py - metrics.capHeight() / 2;
        }
    }
    painter.setPen(theme.text3);
    painter.drawLine(QPointF(crisp(plot.left()), plot.top()), QPointF(crisp(plot.left()), plot.bottom()));
    painter.drawLine(QPointF(plot.left(), crisp(plot.bottom())), QPointF(plot.right(), crisp(plot.bottom())));
    painter.setPen(theme.text2);
    painter.drawText(QPointF(std::max(0.0, plot.left() - 30), plot.top() - 8), y.title);
    painter.drawText(QRectF(0, plot.bottom() + 22, plot.right(), 18), Qt::AlignRight | Qt::AlignTop, x.title);
}

// ---- CRC against noise ----

CurveChart::CurveChart(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
    setObjectName("chart.curve");
    setAccessibleName("CRC against noise");
    setMinimumHeight(220);
    setMouseTracking(true);
}

std::vector<CurveChart::Point> CurveChart::points() const {
    std::vector<Point> points;
    for (const auto& item : workspace_.runs().items()) {
        for (const Figures& f : item->figures) {
            if (std::isfinite(f.crc) && std::isfinite(f.noise)) {
                points.push_back({item->id, f.iteration, 100 * f.noise, 100 * f.crc,
                                  std::isfinite(f.crcSd) ? 100 * f.crcSd : 0});
            }
        }
    }
    return points;
}

QRectF CurveChart::plotArea() const {
    return {32, 30, width() - 32.0 - 10, height() - 30.0 - 42};
}

std::pair<Axis, Axis> CurveChart::axes() const {
    const QString xTitle = "noise, % (SD / mean, central circle)";
    const QString yTitle = "CRC, % (mean of spheres, bars: SD)";
    if (!autoscale_) {
        Axis x = logarithmic_ ? logAxis(xLow_, xHigh_, xTitle) : niceAxis(xLow_, xHigh_, 6, xTitle);
        Axis y = niceAxis(yLow_, yHigh_, 7, yTitle);
        x.low = xLow_;
        x.high = xHigh_;
        y.low = yLow_;
        y.high = yHigh_;
        return {x, y};
    }
    double xMost = 0;
    double xLeast = 1e9;
    double yMost = 0;
    double yLeast = 0;
    for (const Point& p : points()) {
        xMost = std::max(xMost, p.x);
        xLeast = std::min(xLeast, p.x);
        yMost = std::max(yMost, p.y + p.sd);
        yLeast = std::min(yLeast, p.y - p.sd);
    }
    if (xMost == 0) {
        xMost = 60;
        xLeast = 5;
        yMost = 70;
    }
    return {logarithmic_ ? logAxis(xLeast, xMost, xTitle) : niceAxis(0, xMost * 1.12, 6, xTitle),
            niceAxis(yLeast, yMost * 1.08, 7, yTitle)};
}

QPointF CurveChart::place(const Point& point) const {
    const auto [x, y] = axes();
    return chartPoint(plotArea(), x, y, point.x, point.y);
}

void CurveChart::paintRun(QPainter& painter, const QRectF& plot, const Axis& x, const Axis& y, int index) {
    const Theme& theme = Theme::of(*this);
    const RunItem& item = *workspace_.runs().items()[static_cast<std::size_t>(index)];
    const QColor colour = theme.run(index);
    QPolygonF line;
    std::vector<Point> mine;
    for (const Point& p : points()) {
        if (p.runId == item.id) {
            mine.push_back(p);
            line << chartPoint(plot, x, y, p.x, p.y);
        }
    }
    if (mine.empty()) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    QColor faint = colour;
    faint.setAlphaF(0.5F);
    const bool selected = item.id == workspace_.runs().selectedId();
    for (std::size_t i = 0; i < mine.size() && selected; ++i) {
        const double top = chartPoint(plot, x, y, mine[i].x, mine[i].y + mine[i].sd).y();
        const double bottom = chartPoint(plot, x, y, mine[i].x, mine[i].y - mine[i].sd).y();
        const double px = line[static_cast<int>(i)].x();
        painter.setPen(QPen(faint, 1));
        painter.drawLine(QPointF(px, top), QPointF(px, bottom));
        painter.drawLine(QPointF(px - 2.5, top), QPointF(px + 2.5, top));
        painter.drawLine(QPointF(px - 2.5, bottom), QPointF(px + 2.5, bottom));
    }
    painter.setPen(runPen(index, colour));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const QPointF at = line[static_cast<int>(i)];
        drawRunSymbol(painter, at, 7, index, colour);
        const int n = mine[i].iteration;
        if (selected && (n == 1 || n % 10 == 0) && i + 1 < mine.size()) {
            drawOutlined(painter, at + QPointF(6, 13), QString::number(n), smallFont(), theme.text2,
                         theme.plot);
        }
        if (selected && n == item.shownIterate()) {
            painter.setPen(QPen(theme.text, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(at, 8, 8);
        }
    }
    const QString name = item.label + " " + item.name;
    const QFont font = smallFont(QFont::DemiBold);
    const double w = QFontMetricsF(font).horizontalAdvance(name);
    QPointF end = line.last();
    const bool above = index % 2 == 1;
    end += QPointF(above ? -w / 2 : 10, above ? -12 : 18);
    end.setX(std::clamp(end.x(), plot.left() + 2, plot.right() - w - 2));
    end.setY(std::clamp(end.y(), plot.top() + 12, plot.bottom() - 4));
    drawOutlined(painter, end, name, font, colour, theme.plot);
}

void CurveChart::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    const QRectF plot = plotArea();
    const auto [x, y] = axes();
    paintAxes(painter, plot, x, y, theme);
    painter.setClipRect(plot.adjusted(-6, -6, 10, 6));
    const auto& items = workspace_.runs().items();
    const int selected = workspace_.runs().indexOf(workspace_.runs().selectedId());
    for (int i = 0; i < static_cast<int>(items.size()); ++i) {
        if (i != selected) {
            paintRun(painter, plot, x, y, i);
        }
    }
    if (selected >= 0) {
        paintRun(painter, plot, x, y, selected);
    }
    if (points().empty()) {
        painter.setFont(smallFont());
        painter.setPen(theme.text2);
        const bool rois = !workspace_.rois().rois.empty();
        painter.drawText(plot.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         rois ? "a point appears with every iteration"
                              : "CRC and noise need ROIs: none are known for this phantom");
    }
}

std::optional<CurveChart::Point> CurveChart::nearest(QPointF position) const {
    const auto [x, y] = axes();
    std::optional<Point> best;
    double distance = 10;
    for (const Point& p : points()) {
        const QPointF d = chartPoint(plotArea(), x, y, p.x, p.y) - position;
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
        if ((panning_ || d.manhattanLength() > 6) && !logarithmic_) {
            const auto [x, y] = axes();
            const double dx = d.x() / plotArea().width() * (x.high - x.low);
            const double dy = d.y() / plotArea().height() * (y.high - y.low);
            xLow_ = x.low - dx;
            xHigh_ = x.high - dx;
            yLow_ = y.low + dy;
            yHigh_ = y.high + dy;
            autoscale_ = false;
            panning_ = true;
            press_ = event->position();
            Q_EMIT scaleChanged();
            update();
        }
        return;
    }
    const auto p = nearest(event->position());
    setCursor(p ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(p ? QString("iterate %1: CRC %2 ± %3 %, noise %4 %; click shows it")
                       .arg(p->iteration)
                       .arg(p->y, 0, 'f', 1)
                       .arg(p->sd, 0, 'f', 1)
                       .arg(p->x, 0, 'f', 1)
                 : QString());
}

void CurveChart::mouseReleaseEvent(QMouseEvent* event) {
    if (panning_) {
        return;
    }
    if (const auto p = nearest(event->position())) {
        workspace_.runs().select(p->runId);
        workspace_.runs().showIterate(p->runId, p->iteration);
    }
}

void CurveChart::mouseDoubleClickEvent(QMouseEvent*) {
    autoscale();
}

void CurveChart::wheelEvent(QWheelEvent* event) {
    if (logarithmic_) {
        event->ignore();
        return;
    }
    const auto [x, y] = axes();
    const QRectF plot = plotArea();
    const double factor = std::pow(0.8, event->angleDelta().y() / 120.0);
    const double xAt = x.value((event->position().x() - plot.left()) / plot.width());
    const double yAt = y.value((plot.bottom() - event->position().y()) / plot.height());
    xLow_ = xAt + (x.low - xAt) * factor;
    xHigh_ = xAt + (x.high - xAt) * factor;
    yLow_ = yAt + (y.low - yAt) * factor;
    yHigh_ = yAt + (y.high - yAt) * factor;
    autoscale_ = false;
    Q_EMIT scaleChanged();
    update();
    event->accept();
}

void CurveChart::setLogarithmic(bool on) {
    logarithmic_ = on;
    autoscale();
}

void CurveChart::autoscale() {
    autoscale_ = true;
    Q_EMIT scaleChanged();
    update();
}

QString CurveChart::toCsv() const {
    QString text =
        "# CRC = ((p_s - p_b)/p_b)/(true ratio - 1), mean and SD (n-1) over spheres; noise = SD (n-1)/mean "
        "in the "
        "central circle; per cent\nrun,iteration,noise_percent,crc_percent,crc_sd_percent\n";
    for (const Point& p : points()) {
        const RunItem* item = workspace_.runs().find(p.runId);
        text += QString("%1 %2,%3,%4,%5,%6\n")
                    .arg(item->label, item->name)
                    .arg(p.iteration)
                    .arg(cPoint(p.x), cPoint(p.y), cPoint(p.sd));
    }
    return text;
}

// ---- profile and histogram ----

ProfileChart::ProfileChart(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
    setObjectName("chart.profile");
    setAccessibleName("Profile through the cursor");
    setMinimumHeight(120);
}

void ProfileChart::setKind(Kind kind) {
    kind_ = kind;
    setAccessibleName(kind == Kind::Profile ? "Profile through the cursor" : "Histogram of voxel values");
    update();
}

void ProfileChart::setAxis(int axis) {
    axis_ = axis;
    update();
}

QRectF ProfileChart::plotArea() const {
    return {42, 26, width() - 42.0 - 24, height() - 26.0 - 40};
}

std::array<double, 2> ProfileChart::shownEnds() const {
    const ViewModel& view = workspace_.view();
    const auto whole = viz::extent(view.lattice(), axis_);
    const double half =
        (viz::coordinate(view.fitted().high, axis_) - viz::coordinate(view.fitted().low, axis_)) /
        (2 * view.zoom());
    const double middle = viz::coordinate(view.middle(), axis_);
    const double low = std::max(whole[0], middle - half);
    const double high = std::min(whole[1], middle + half);
    return high > low ? std::array{low, high} : whole;
}

QString ProfileChart::caption() const {
    const char names[] = {'x', 'y', 'z'};
    return kind_ == Kind::Profile ? QString("along %1 through the cursor").arg(names[axis_])
                                  : QString("all voxels of the image on screen");
}

void ProfileChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (kind_ == Kind::Profile) {
        paintProfile(painter);
    } else {
        paintHistogram(painter);
    }
}

void ProfileChart::paintProfile(QPainter& painter) {
    const Theme& theme = Theme::of(*this);
    const QRectF plot = plotArea();
    struct Curve {
        int index;
        Profile profile;
        QString text;
    };
    std::vector<Curve> curves;
    const auto& items = workspace_.runs().items();
    RunItem* selected = workspace_.runs().selected();
    const Vec3 cursor = workspace_.view().cursor();
    const double at = viz::coordinate(cursor, axis_);
    double low = 0;
    double high = 0;
    for (int i = 0; i < static_cast<int>(items.size()); ++i) {
        const RunItem& item = *items[static_cast<std::size_t>(i)];
        const auto volume = item.volume();
        if (volume == nullptr || selected == nullptr || !(volume->lattice == selected->lattice)) {
            continue;
        }
        Curve curve{i, profileAlong(*volume, axis_, cursor), item.label};
        for (const double v : curve.profile.value) {
            low = std::isfinite(v) ? std::min(low, v) : low;
            high = std::isfinite(v) ? std::max(high, v) : high;
        }
        std::vector<double> sorted = curve.profile.value;
        std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                         sorted.end());
        const double base = sorted.empty() ? 0 : sorted[sorted.size() / 2];
        if (const auto width = fullWidthHalfMaximum(curve.profile, at, kPeakReach_mm, base)) {
            curve.text +=
                (plot.width() > 420 ? "  FWHM " : "  ") + numberText(*width, 1) + QChar(0x00a0) + "mm";
        }
        curves.push_back(std::move(curve));
    }
    const char* titles[] = {"x, mm", "y, mm", "z, mm"};
    const auto ends = shownEnds();
    const int columns = std::max(4, static_cast<int>(plot.width() / 70));
    Axis x = niceAxis(ends[0], ends[1], columns, titles[axis_]);
    x.low = ends[0];
    x.high = ends[1];
    const Axis y =
        niceAxis(low, high > low ? high * 1.05 : low + 1, std::max(2, static_cast<int>(plot.height() / 26)),
                 selected != nullptr ? selected->units : QString());
    paintAxes(painter, plot, x, y, theme);
    painter.save();
    painter.setClipRect(plot.adjusted(0, -1, 1, 1));
    painter.setPen(QPen(theme.text3, 1, Qt::DotLine));
    const double cursorX = std::floor(chartPoint(plot, x, y, at, 0).x()) + 0.5;
    painter.drawLine(QPointF(cursorX, plot.top()), QPointF(cursorX, plot.bottom()));
    const double half = workspace_.view().lattice().spacing_mm[static_cast<std::size_t>(axis_)] / 2;
    for (const Curve& curve : curves) {
        QPolygonF steps;
        for (std::size_t i = 0; i < curve.profile.value.size(); ++i) {
            const double v = std::isfinite(curve.profile.value[i]) ? curve.profile.value[i] : 0;
            steps << chartPoint(plot, x, y, curve.profile.position_mm[i] - half, v)
                  << chartPoint(plot, x, y, curve.profile.position_mm[i] + half, v);
        }
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(runPen(curve.index, theme.run(curve.index)));
        painter.drawPolyline(steps);
    }
    painter.restore();
    double total = 0;
    const QFontMetricsF metrics(smallFont());
    for (const Curve& curve : curves) {
        total += 14 + metrics.horizontalAdvance(curve.text) + 20;
    }
    double left = std::max(plot.left() + 110, plot.center().x() - total / 2);
    for (const Curve& curve : curves) {
        drawRunSymbol(painter, {left + 4, 12}, 7, curve.index, theme.run(curve.index));
        painter.setFont(smallFont());
        painter.setPen(theme.text);
        painter.drawText(QPointF(left + 14, 16), curve.text);
        left += 14 + metrics.horizontalAdvance(curve.text) + 20;
    }
}

void ProfileChart::paintHistogram(QPainter& painter) {
    const Theme& theme = Theme::of(*this);
    const QRectF plot = plotArea();
    RunItem* item = workspace_.runs().selected();
    const auto volume = item != nullptr ? item->volume() : nullptr;
    const DisplayRange range = workspace_.view().range();
    const int index = workspace_.runs().indexOf(workspace_.runs().selectedId());
    std::vector<std::size_t> counts(kHistogramBins, 0);
    if (volume != nullptr) {
        counts = histogram(volume->data, range.low, range.high, kHistogramBins);
    }
    // The first bin holds the empty space around the object and would flatten everything else.
    const std::size_t most = *std::max_element(counts.begin() + 1, counts.end());
    Axis x = niceAxis(range.low, range.high, 8, item != nullptr ? item->units : QString());
    x.low = range.low;
    x.high = range.high;
    const Axis y = niceAxis(0, std::max<double>(1, static_cast<double>(most) * 1.05),
                            std::max(2, static_cast<int>(plot.height() / 26)), "voxels");
    paintAxes(painter, plot, x, y, theme);
    painter.setClipRect(plot);
    painter.setPen(Qt::NoPen);
    painter.setBrush(index >= 0 ? theme.run(index) : theme.text3);
    const double w = plot.width() / static_cast<double>(kHistogramBins);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double h = y.share(static_cast<double>(counts[i])) * plot.height();
        painter.drawRect(QRectF(plot.left() + w * static_cast<double>(i), plot.bottom() - h, w * 0.9, h));
    }
}

void ProfileChart::mousePressEvent(QMouseEvent* event) {
    if (kind_ != Kind::Profile || event->button() != Qt::LeftButton) {
        return;
    }
    const QRectF plot = plotArea();
    const auto ends = shownEnds();
    Vec3 cursor = workspace_.view().cursor();
    viz::setCoordinate(cursor, axis_,
                       ends[0] + (event->position().x() - plot.left()) / plot.width() * (ends[1] - ends[0]));
    workspace_.view().setCursor(cursor);
}

QString ProfileChart::toCsv() const {
    const auto& items = workspace_.runs().items();
    RunItem* selected = workspace_.runs().selected();
    if (selected == nullptr || selected->volume() == nullptr) {
        return {};
    }
    std::vector<Profile> columns;
    QString text = QString("%1_mm").arg(QString("xyz").at(axis_));
    for (const auto& item : items) {
        const auto volume = item->volume();
        if (volume != nullptr && volume->lattice == selected->lattice) {
            columns.push_back(profileAlong(*volume, axis_, workspace_.view().cursor()));
            text += "," + item->label + " " + item->name;
        }
    }
    text += "\n";
    for (std::size_t i = 0; i < columns.front().value.size(); ++i) {
        text += cPoint(columns.front().position_mm[i]);
        for (const Profile& column : columns) {
            text += "," + cPoint(column.value[i]);
        }
        text += "\n";
    }
    return text;
}

}  // namespace tof::ui
