// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "recon/metrics/robust_range.h"

namespace tof {

/// A display range of values that mean the same in every image of a unit.
struct RangePreset {
    std::string id;                  ///< "ct-lung"
    std::string label;               ///< "CT lung"; Word
    std::string help;                ///< one sentence; Word
    std::vector<std::string> units;  ///< first words of them; "": an image without a unit may be one
    DisplayRange range;              ///< in the first of those units
};

/// Ranges of SUV, of attenuation, and of CT in HU by the windows that radiologists use.
[[nodiscard]] const std::vector<RangePreset>& rangePresets();
/// Null where there is none of this id.
[[nodiscard]] const RangePreset* findRangePreset(const std::string& id);

}  // namespace tof
