// SPDX-License-Identifier: Apache-2.0
// Reports of experiments as one page that needs no other file.
#pragma once

#include <string>
#include <vector>

#include "recon/experiment/experiment.h"

namespace tof {

/// An experiment and what it found; both outlive the call.
struct ReportedExperiment {
    const Experiment* experiment;
    const ExperimentReport* report;
};

/// Bytes that a page may have; pictures that do not fit are named instead of shown.
inline constexpr std::size_t kLargestPage = 10'000'000;

/// Verdicts first, then every experiment with its checks, pictures (curves as SVG), numbers, machine and
/// seeds.
[[nodiscard]] std::string reportAsHtml(const std::vector<ReportedExperiment>& all);

}  // namespace tof
