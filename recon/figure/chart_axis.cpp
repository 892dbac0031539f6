// SPDX-License-Identifier: Apache-2.0
#include "recon/figure/chart_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tof {

namespace {

/// The smallest of 1, 2, 5 times a power of ten that makes at most `marks` steps of a range.
double roundStep(double range, int marks) {
    const double rough = range / marks;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * (1 - 1e-9)) {
            return factor * power;
        }
    }
    return 10 * power;
}

/// Numbers of up to four digits are told as they are.
int powerFor(double low, double high) {
    const double most = std::max(std::abs(low), std::abs(high));
    const int power = static_cast<int>(std::floor(std::log10(most)));
    return power >= 4 || power <= -3 ? power : 0;
}

}  // namespace

RoundScale RoundScale::covering(double least, double most, int marks) {
    if (!(most > least)) {  // one value, or none
        const double about = std::isfinite(least) ? least : 0;
        const double half = about == 0 ? 1 : std::abs(about) / 2;
        least = about - half;
        most = about + half;
    }
    constexpr double kNearZero = 0.4;
    if (least > 0 && least < kNearZero * most) {
        least = 0;
    }
    RoundScale scale;
    scale.step = roundStep(most - least, marks);
    scale.low = std::floor(least / scale.step + 1e-9) * scale.step;
    scale.high = std::ceil(most / scale.step - 1e-9) * scale.step;
    scale.power = powerFor(scale.low, scale.high);
    return scale;
}

RoundScale RoundScale::within(double low, double high, int marks) {
    return {low, high, roundStep(high - low, marks), powerFor(low, high)};
}

std::vector<double> RoundScale::marks() const {
    std::vector<double> values;
    for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n) {
        values.push_back(n == 0 ? 0 : n * step);
    }
    return values;
}

std::string RoundScale::text(double mark) const {
    const double unit = std::pow(10, power);
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + 1e-9)));
    std::string text = fmt::format("{:.{}f}", mark / unit, decimals);
    return text.front() == '-' ? "\u2212" + text.substr(1) : text;
}

std::string RoundScale::titled(const std::string& title) const {
    constexpr const char* kRaised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                       "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    if (power == 0) {
        return title;
    }
    std::string raised = power < 0 ? "\u207b" : "";
    for (const char digit : fmt::format("{}", std::abs(power))) {
        raised += kRaised[digit - '0'];
    }
    return title + (title.empty() ? "\u00d7 10" : " \u00d7 10") + raised;
}

}  // namespace tof
