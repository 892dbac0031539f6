// SPDX-License-Identifier: Apache-2.0
// Reports of experiments as one page that needs no other file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "recon/experiment/experiment.h"

namespace tof {

/// Bytes that a page may have; pictures that do not fit are named instead of shown.
inline constexpr std::size_t kLargestPage = 10'000'000;

/// An experiment with its verdict, checks, pictures (curves as SVG), numbers, machine and seeds.
[[nodiscard]] std::string reportAsHtml(const Experiment& experiment, const ExperimentReport& report);

/// Pages that reportAsHtml() made as one, verdicts first; of pages of something else nothing is taken. Where
/// all would be too large, later ones lose their pictures.
[[nodiscard]] std::string joinedHtml(const std::vector<std::string>& pages);

}  // namespace tof
