// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/chart.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/theme.h"
#include "ui/widgets/slice_pane.h"

namespace tof::ui {

namespace {

QString axisNumber(double value, double step) {
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    if (std::abs(value) >= 1e5) {
        return compactNumber(value, 3);
    }
    return numberText(value, decimals);
}

}  // namespace

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

QString cPoint(double value) {
    return QString::number(value, 'g', 9);
}

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

}  // namespace tof::ui
