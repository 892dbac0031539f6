// SPDX-License-Identifier: Apache-2.0
// Which experiments there are, and how one is run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recon/experiment/experiment.h"

namespace tof {

/// All of them, in the order of the papers.
[[nodiscard]] const std::vector<Experiment>& experiments();
/// By name; throws WrongUse with a suggestion.
[[nodiscard]] const Experiment& findExperiment(const std::string& name);

/// Runs one, or says in `skipped` which engine is not there. Throws WrongUse for data that it does not take,
/// and what the experiment throws.
[[nodiscard]] ExperimentReport runExperiment(const Experiment& experiment, const ExperimentContext& context);
/// What `make` finds, with where, with what and how long it was made.
[[nodiscard]] ExperimentReport withProvenance(const ExperimentContext& context,
                                              const std::function<ExperimentReport()>& make);

}  // namespace tof
