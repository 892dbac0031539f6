// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/measure_json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tof::ui {

double percentileOf(std::vector<double> values, double share) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(share * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

nlohmann::json summaryOf(const std::vector<double>& ms) {
    return {{"median_ms", percentileOf(ms, 0.5)},
            {"p95_ms", percentileOf(ms, 0.95)},
            {"max_ms", percentileOf(ms, 1)}};
}

void printJson(const nlohmann::json& o) {
    std::puts(o.dump().c_str());
    std::fflush(stdout);
}

}  // namespace tof::ui
