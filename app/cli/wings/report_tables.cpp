// SPDX-License-Identifier: Apache-2.0
#include "app/cli/wings/report_tables.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <vector>

#include "app/cli/text_table.h"
#include "recon/settings/eta.h"

namespace tof {

void tellReport(Console& console, const Experiment& experiment, const ExperimentReport& report,
                const std::string& folder) {
    const auto text = [](double value, const std::string& unit) {
        return std::isfinite(value) ? fmt::format("{:.4g} {}", value, unit) : std::string("-");
    };
    if (!report.skipped.empty()) {
        console.result(fmt::format("{}: skipped, {}", experiment.name, report.skipped));
    } else {
        std::vector<std::vector<std::string>> rows{{experiment.name, "paper", "here"}};
        for (const Comparison& c : report.comparisons) {
            rows.push_back({c.quantity, c.paper.empty() ? "-" : c.paper, text(c.ours, c.unit)});
        }
        console.result(textTable(rows));
    }
    if (!report.checks.empty()) {
        std::vector<std::vector<std::string>> rows{{"check", "condition", "value", ""}};
        for (const Check& check : report.checks) {
            rows.push_back(
                {check.name, check.condition(), text(check.value, check.unit), verdictName(check.verdict())});
        }
        console.result(textTable(rows));
    }
    console.note(fmt::format("wrote {} after {}",
                             (std::filesystem::path(folder) / (experiment.name + ".html")).string(),
                             durationText(report.made.seconds)));
}

}  // namespace tof
