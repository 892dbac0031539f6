// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ui/desk/run_list.h"

namespace tof::ui {

/// The iterate of a run whose noise is nearest to a level.
struct MatchedIterate {
    /// Whether the run comes near at all: within a tenth of the level, or past it from one iterate to the
    /// next.
    enum class Reach { Near, StaysBelow, StaysAbove };
    int runId = 0;
    int iteration = 0;
    double noise = 0;  ///< of that iterate, a fraction
    double crc = 0;    ///< NaN where there is none
    Reach reach = Reach::Near;
};

/// One per run that has noise figures and the iterate's image, in the order of the list; of two iterates
/// equally near the earlier one.
[[nodiscard]] std::vector<MatchedIterate> matchedIterates(const RunList& runs, double noise);

/// Noise of the iterate on screen of the selected run; empty when it has none.
[[nodiscard]] std::optional<double> noiseOnScreen(RunList& runs);

}  // namespace tof::ui
