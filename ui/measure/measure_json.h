// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace tof::ui {

/// Nearest-rank percentile, 0 <= share <= 1; 0 for no values.
[[nodiscard]] double percentileOf(std::vector<double> values, double share);
/// Median, 95th percentile and largest of times in ms.
[[nodiscard]] nlohmann::json summaryOf(const std::vector<double>& ms);
/// One line on standard output.
void printJson(const nlohmann::json& o);

}  // namespace tof::ui
