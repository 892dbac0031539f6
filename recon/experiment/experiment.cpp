// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/experiment.h"

#include <fmt/format.h>

#include <algorithm>

namespace tof {

double cellOf(const ExperimentReport& report, std::size_t row, const std::string& column) {
    const auto& columns = report.data.columns;
    const auto at = std::find(columns.begin(), columns.end(), column);
    if (row >= report.data.rows.size() || at == columns.end()) {
        return kMissing;
    }
    const auto* const value =
        std::get_if<double>(&report.data.rows[row][static_cast<std::size_t>(at - columns.begin())]);
    return value != nullptr ? *value : kMissing;
}

std::string whyMissing(const ExperimentContext& context, const std::string& engine) {
    const auto found = context.engines.find(engine);
    const auto* const absent = std::get_if<Unsupported>(&found);
    return absent != nullptr ? fmt::format("the engine '{}' is not there: {}", engine, absent->why) : "";
}

std::string latticeText(const Lattice& lattice) {
    return fmt::format("{} x {} x {} voxels of {:g} mm", lattice.size[0], lattice.size[1], lattice.size[2],
                       lattice.spacing_mm[0]);
}

}  // namespace tof
