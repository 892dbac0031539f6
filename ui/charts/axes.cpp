// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/axes.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

/// Decimals that show a step whole: 1 of 2.5, 2 of 0.25.
int decimalsOf(double step) {
    constexpr int kMost = 12;
    constexpr double kRounding = 1e-6;
    int decimals = 0;
    double scaled = step;
    while (decimals < kMost && std::abs(scaled - std::round(scaled)) > kRounding * scaled) {
        scaled *= 10;
        ++decimals;
    }
    return decimals;
}

/// Zeros at the end of a step of whole numbers: 2 of 500.
int zerosOf(double step) {
    int zeros = 0;
    while (step >= 10 && std::fmod(step, 10) == 0) {
        step /= 10;
        ++zeros;
    }
    return zeros;
}

QString axisNumber(double value, double step) {
    const int decimals = decimalsOf(step);
    if (std::abs(value) >= 1e5) {
        // "2.5e6": seven digits have no room beside an axis, but neighbours must differ.
        const int digits =
            static_cast<int>(std::floor(std::log10(std::abs(value)))) - zerosOf(step) + decimals + 1;
        QString text = QString::number(value, 'g', std::clamp(digits, 1, 9));
        return text.remove("+0").remove('+').replace('-', QChar(0x2212));
    }
    return numberText(value, decimals);
}

}  // namespace

QPen runPen(int mark, const QColor& colour) {
    QPen pen(colour, 1.75);
    pen.setJoinStyle(Qt::RoundJoin);
    switch ((mark < 0 ? -1 - mark : mark) % 4) {
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

double roomBesideLastNumber() {
    return std::ceil(0.5 * QFontMetricsF(smallFont()).horizontalAdvance(QStringLiteral("100.0"))) + 1;
}

void paintAxes(QPainter& painter, const Plot& shown, const Theme& theme) {
    const auto& [plot, x, y] = shown;
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

}  // namespace tof::ui
