// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/measure_json.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "ui/measure/measure.h"

namespace tof::ui {

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
