// SPDX-License-Identifier: Apache-2.0
// What an experiment found, on the terminal.
#pragma once

#include <string>

#include "app/cli/console.h"
#include "recon/experiment/experiment.h"

namespace tof {

/// Comparisons and checks as tables, and a note of the page that was written into `folder`.
void tellReport(Console& console, const Experiment& experiment, const ExperimentReport& report,
                const std::string& folder);

}  // namespace tof
