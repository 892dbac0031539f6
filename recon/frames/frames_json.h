// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "recon/data/framed_counts.h"

namespace tof {

/// {"nuclide": "F-18", "between": 0, "table": [{"start_s": 0, "duration_s": 10, "kept": 5, "outside": 0,
/// "rejected": 0, "decay_factor": 1.0}, ...]}; nuclide and decay_factor where the nuclide is stated.
/// With gates {"gates": 8}, and in a row its "gate" and how long that was on, "gated_s"; "add_share",
/// "randoms_share" and "live" where a frame says its own.
[[nodiscard]] nlohmann::ordered_json framesJson(const FramedCounts& frames);
/// Puts it under "frames", unless null.
void addFrames(nlohmann::ordered_json& json, const FramedCounts* frames);
/// "; 12 frames, 0 events in none of them" to end a sentence; empty for null.
[[nodiscard]] std::string framesText(const FramedCounts* frames);

}  // namespace tof
