// SPDX-License-Identifier: Apache-2.0
#include "recon/phantom/activity_curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tof {

namespace {

constexpr double kPerMin = 1.0 / 60;  // 1/min in 1/s

/// Adds weight x (input convolved with exp(-rate t)), rate in 1/s, to values at the edges of steps.
void addConvolved(const TimeSteps& steps, const std::vector<double>& input, double weight, double rate,
                  std::vector<double>& values) {
    const double h = steps.length_s;
    const double x = rate * h;
    // What the first value of a step leaves at its end, and what its rise does. Below 1e-6 the differences
    // would lose digits that their series have.
    const double level = x > 0 ? -std::expm1(-x) / rate : h;
    const double rise = x > 1e-6 ? (h - level) / x : h * (0.5 - x / 6);
    double sum = 0;
    for (std::size_t i = 0; i < steps.count; ++i) {
        sum = std::exp(-x) * sum + input[i] * level + (input[i + 1] - input[i]) * rise;
        values[i + 1] += weight * sum;
    }
}

}  // namespace

double FengInput::at(double time_s) const {
    const double t = kPerMin * (time_s - delay_s);
    if (t <= 0) {
        return 0;
    }
    const auto left = [&](std::size_t i) { return std::exp(-rates_per_min[i] * t); };
    return (amounts[0] * t - amounts[1] - amounts[2]) * left(0) + amounts[1] * left(1) + amounts[2] * left(2);
}

std::vector<double> tissueAt(const TimeSteps& steps, const std::vector<double>& input,
                             const TwoTissue& tissue) {
    // The response to an instant is a sum of two exponentials (S.-C. Huang et al., Am. J. Physiol. 238
    // (1980) E69). Without k3 nothing is bound, and nothing returns.
    const double k4 = tissue.k3 > 0 ? tissue.k4 : 0;
    const double sum = tissue.k2 + tissue.k3 + k4;
    const double apart = std::sqrt(std::max(0.0, sum * sum - 4 * tissue.k2 * k4));
    const double slow = 0.5 * (sum - apart);
    const double fast = 0.5 * (sum + apart);
    const double bound = tissue.k3 + k4;
    const double ofSlow = apart > 0 ? (bound - slow) / apart : 1;
    const double K1 = (1 - tissue.Vb) * tissue.K1 * kPerMin;
    std::vector<double> values(input.size());
    addConvolved(steps, input, K1 * ofSlow, kPerMin * slow, values);
    addConvolved(steps, input, K1 * (1 - ofSlow), kPerMin * fast, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::max(0.0, values[i] + tissue.Vb * input[i]);  // rounding alone goes below
    }
    return values;
}

ActivityCurve::ActivityCurve(const TimeSteps& steps, std::vector<double> values)
    : steps_(steps), values_(std::move(values)), upTo_(steps.count + 1) {
    for (std::size_t i = 0; i < steps_.count; ++i) {
        upTo_[i + 1] = upTo_[i] + 0.5 * steps_.length_s * (values_[i] + values_[i + 1]);
    }
}

double ActivityCurve::upTo(double time_s) const {
    const double place = std::clamp(time_s / steps_.length_s, 0.0, static_cast<double>(steps_.count));
    const std::size_t i = std::min(static_cast<std::size_t>(place), steps_.count - 1);
    const double share = place - static_cast<double>(i);
    const double mean = values_[i] + 0.5 * share * (values_[i + 1] - values_[i]);
    return upTo_[i] + share * steps_.length_s * mean;
}

double ActivityCurve::integral(double begin_s, double end_s) const {
    return upTo(end_s) - upTo(begin_s);
}

double ActivityCurve::timeIn(std::size_t i, double share) const {
    const double a = values_[i];
    const double b = values_[i + 1];
    const double root = std::sqrt(std::max(0.0, a * a + share * (b * b - a * a)));
    const double passed = a + root > 0 ? share * (a + b) / (a + root) : share;
    return steps_.edge_s(i) + std::min(1.0, passed) * steps_.length_s;
}

}  // namespace tof
