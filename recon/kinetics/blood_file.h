// SPDX-License-Identifier: Apache-2.0
// Blood samples as PET BIDS keeps them: a table of tab-separated columns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recon/kinetics/time_curve.h"

namespace tof {

struct BloodSamples {
    TimeCurve plasma;                     ///< activity of the parent tracer in plasma
    std::optional<TimeCurve> wholeBlood;  ///< where the table has it
    std::vector<std::string> notes;       ///< what was assumed, a sentence each
};

/// Reads `path` with the columns `time` (s), `plasma_radioactivity`, `whole_blood_radioactivity` and
/// `metabolite_parent_fraction`, of which the first and one activity are needed; "n/a" is no sample. Plasma
/// is multiplied with the parent's fraction, which is straight between its samples and stays at its first and
/// last value beyond them. A curve rises from zero at time zero to a first sample that is later. Units are
/// those of a sidecar of the same name with the ending .json; values come back in `imageUnits`. Throws
/// BadInput.
[[nodiscard]] BloodSamples readBloodFile(const std::string& path, const std::string& imageUnits);

}  // namespace tof
