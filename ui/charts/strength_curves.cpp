// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/strength_curves.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "ui/desk/run_list.h"

namespace tof::ui {

namespace {

/// A text that runs share whose images differ by beta alone; empty for one that has no beta.
std::string familyOf(const std::string& dataHash, const RunSettings& settings) {
    if (!isUsed(settingInfo("beta"), settings) || settings.beta <= 0) {
        return {};
    }
    std::string text = dataHash;
    for (const SettingInfo& info : settingsTable()) {
        const bool changesImage = !info.mayDiffer || info.key == "iterations";
        if (changesImage && info.key != "beta" && isUsed(info, settings)) {
            text += "\n" + info.read(settings);
        }
    }
    return text;
}

}  // namespace

std::vector<StrengthCurve> strengthCurves(const RunList& runs) {
    std::vector<StrengthCurve> curves;
    std::map<std::string, std::size_t> known;
    const auto add = [&](const RunItem& item, const RunSettings& settings, const Figures& figures,
                         int iteration) {
        const std::string family = familyOf(item.dataHash(), settings);
        if (family.empty() || !std::isfinite(figures.noise) || !std::isfinite(figures.crc)) {
            return;
        }
        const auto [place, isNew] = known.try_emplace(family, curves.size());
        if (isNew) {
            curves.emplace_back();
        }
        curves[place->second].points.push_back(
            {item.id(), iteration, settings.beta, figures.noise, figures.crc});
    };
    for (const auto& item : runs.items()) {
        if (item->isVolume() || item->figures().empty()) {
            continue;
        }
        add(*item, item->settings(), item->figures().back(), item->figures().back().iteration);
        for (const RunItem::Left& left : item->left()) {
            if (left.roiRevision == item->roiRevision()) {
                add(*item, left.settings, left.figures, 0);
            }
        }
    }
    std::erase_if(curves, [](const StrengthCurve& curve) { return curve.points.size() < 2; });
    for (StrengthCurve& curve : curves) {
        std::stable_sort(
            curve.points.begin(), curve.points.end(),
            [](const StrengthCurve::Point& a, const StrengthCurve::Point& b) { return a.beta < b.beta; });
    }
    return curves;
}

}  // namespace tof::ui
