// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/width_line.h"

#include <algorithm>
#include <cmath>

#include "recon/kernel/point_response.h"

namespace tof::ui {

namespace {

constexpr double kLeastGap_mm = 1;  ///< between two points
constexpr double kLeastWidth_mm = 0.5;
constexpr double kMostWidth_mm = 200;
constexpr int kFormulaKnots = 5;

double usable(double fwhm_mm) {
    return std::clamp(fwhm_mm, kLeastWidth_mm, kMostWidth_mm);
}

}  // namespace

WidthLine widthLineOf(const KernelSpec& kernel, double farthest_mm) {
    WidthLine widths;
    if (!kernel.measured.empty()) {
        for (const MeasuredProfile& profile : kernel.measured) {
            widths.emplace_back(profile.s_mm, measuredFwhm(profile).value);
        }
        return widths;
    }
    if (const WidthKnots* const knots = kernel.radial.knots()) {
        return *knots;
    }
    const RadialWidth& radial = kernel.radial;
    if (radial.invariant()) {
        return {{0.0, radial.at(0)}};
    }
    const double end = std::ceil(farthest_mm);
    const int count = std::get<WidthFormula>(radial.form).quadratic_mm == 0 ? 2 : kFormulaKnots;
    for (int i = 0; i < count; ++i) {
        const double s = end * i / (count - 1);
        widths.emplace_back(s, radial.at(s));
    }
    return widths;
}

KernelSpec withWidthLine(KernelSpec kernel, WidthLine line) {
    kernel.radial.form = std::move(line);
    return kernel;
}

WidthLine withKnotMoved(WidthLine line, std::size_t i, double s_mm, double fwhm_mm, double farthest_mm) {
    const double low = i == 0 ? 0 : line[i - 1].first + kLeastGap_mm;
    const double high = i == 0                ? 0
                        : i + 1 < line.size() ? line[i + 1].first - kLeastGap_mm
                                              : std::max(line[i].first, std::ceil(farthest_mm));
    line[i] = {std::clamp(s_mm, low, std::max(low, high)), usable(fwhm_mm)};
    return line;
}

std::optional<std::pair<WidthLine, int>> withKnotAdded(WidthLine line, double s_mm, double fwhm_mm) {
    const bool taken = std::any_of(line.begin(), line.end(),
                                   [&](const auto& k) { return std::abs(k.first - s_mm) < kLeastGap_mm; });
    if (taken || !(s_mm > 0)) {
        return std::nullopt;
    }
    const auto at = std::find_if(line.begin(), line.end(), [&](const auto& k) { return k.first > s_mm; });
    const auto index = static_cast<int>(at - line.begin());
    line.insert(at, {s_mm, usable(fwhm_mm)});
    return std::pair(std::move(line), index);
}

}  // namespace tof::ui
