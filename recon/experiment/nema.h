// SPDX-License-Identifier: Apache-2.0
// NEMA NU 2-2018 of a scanner by Monte Carlo, and NU 4-2008 of one for small animals.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recon/experiment/experiment.h"
#include "recon/experiment/nema_request.h"

namespace tof {

/// The request of measured lists, each read once; the first says the scanner. Throws WrongUse, BadInput, and
/// what `heed` does (recognise()).
[[nodiscard]] NemaRequest measuredSensitivity(const std::vector<std::string>& files, double activity_MBq,
                                              const std::function<void()>& heed);

/// What reports of it are called.
[[nodiscard]] Experiment nemaExperiment(const Scanner& scanner);
/// Activities in kBq/ml as a person writes them, "5,10,20": numbers above 0, ascending. Throws WrongUse.
[[nodiscard]] std::vector<double> concentrationsFrom(const std::string& text);

/// The standard's tests by name, in their order.
[[nodiscard]] std::vector<std::string> nemaTests();
/// Those that are done where nobody chooses: all but image quality, which needs fifty times the events, and
/// NU 4's.
[[nodiscard]] std::vector<std::string> usualNemaTests();

/// Sensitivity, scatter fraction, count rates with NECR, resolution and image quality as the standard
/// evaluates them, beside what was published. Scans in time are made by the context's engine. Throws WrongUse
/// for a scanner that does not say how it detects, and what simulations and progress throw.
[[nodiscard]] ExperimentReport nemaReport(const NemaRequest& request, const ExperimentContext& context);

}  // namespace tof
