// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/range_presets.h"

#include <algorithm>

#include "recon/base/options.h"

namespace tof {

namespace {

/// A window of CT by its level and width, HU.
RangePreset ct(const char* id, const char* label, const char* help, double level, double width) {
    return {id, label, help, {"HU", ""}, {level - width / 2, level + width / 2}};
}

}  // namespace

const std::vector<RangePreset>& rangePresets() {
    static const std::vector<RangePreset> presets{
        {"suv",
         toTranslate("Word", "SUV 0 to 5"),
         toTranslate("Word", "Display range of standardised uptake values"),
         {"SUV"},
         {0, 5}},
        {"mu",
         toTranslate("Word", "mu 0 to 0.15 per cm"),
         toTranslate("Word", "Display range of attenuation at 511 keV: water is 0.096"),
         {"1/cm", "1/mm", ""},
         {0, 0.15}},
        ct("ct-lung", toTranslate("Word", "CT lung"),
           toTranslate("Word", "Display range of CT from -1350 to 150 HU"), -600, 1500),
        ct("ct-soft", toTranslate("Word", "CT soft tissue"),
           toTranslate("Word", "Display range of CT from -160 to 240 HU"), 40, 400),
        ct("ct-bone", toTranslate("Word", "CT bone"),
           toTranslate("Word", "Display range of CT from -500 to 1300 HU"), 400, 1800),
        ct("ct-brain", toTranslate("Word", "CT brain"),
           toTranslate("Word", "Display range of CT from 0 to 80 HU"), 40, 80),
        ct("ct-liver", toTranslate("Word", "CT liver"),
           toTranslate("Word", "Display range of CT from -15 to 135 HU"), 60, 150),
        ct("ct-vessels", toTranslate("Word", "CT vessels"),
           toTranslate("Word", "Display range of CT from 0 to 600 HU"), 300, 600)};
    return presets;
}

const RangePreset* findRangePreset(const std::string& id) {
    const auto& presets = rangePresets();
    const auto found =
        std::find_if(presets.begin(), presets.end(), [&](const auto& preset) { return preset.id == id; });
    return found != presets.end() ? &*found : nullptr;
}

}  // namespace tof
