// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "recon/forms/form/bin_request.h"
#include "recon/work/simulate.h"

namespace tof {

/// How a simulated study is made beside its scan.
struct StudyRecipe {
    BinRequest binning;                          ///< its input is not looked at
    std::optional<AnalyticSettings> analytic{};  ///< expected data from chords instead of events
    bool randoms = false;                        ///< expected randoms into the data, from delayeds
    bool scatter = false;                        ///< expected scatter into the data
    /// Whether expected data have scatter, and randoms at the scan's activity, among the counts and in add.
    bool background = false;
};

/// Simulates a scan, bins its events (as the recipe says) where it is list-mode, corrects histo-images as
/// asked, and makes a study of the data at `folder`, which must not be there. Throws as simulateScan(),
/// simulateAnalytic(), binEvents(), correct() and Study::create() do, WrongUse where corrections are asked
/// for of what is not histo-images of events; then nothing is left behind.
void createSimulatedStudy(const std::string& folder, const SimulateRequest& request,
                          const StudyRecipe& recipe, const ThreadPool& pool, WorkProgress& progress);

}  // namespace tof
