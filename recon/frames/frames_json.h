// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "recon/data/framed_counts.h"

namespace tof {

/// {"nuclide": "F-18", "between": 0, "table": [{"start_s": 0, "duration_s": 10, "kept": 5, "outside": 0,
/// "rejected": 0, "decay_factor": 1.0}, ...]}; nuclide and decay_factor where the nuclide is stated.
[[nodiscard]] nlohmann::ordered_json framesJson(const FramedCounts& frames);

}  // namespace tof
