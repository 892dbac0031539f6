// SPDX-License-Identifier: Apache-2.0
// Paper 000, Fig. 8 and Table III: the models of radial resolution.
#include "recon/experiment/papers.h"

namespace tof {

ExperimentReport runHaFig8(const ExperimentContext& context) {
    ExperimentReport report = runWidths(context);
    for (const Comparison& c : report.comparisons) {
        // Half a unit of the last digit printed.
        report.checks.push_back({.name = c.quantity,
                                 .relation = Relation::Within,
                                 .bound = std::stod(c.paper),
                                 .tolerance = 0.0051,
                                 .value = c.ours,
                                 .unit = c.unit,
                                 .source = "paper 000, Fig. 8 and Table III"});
    }
    return report;
}

}  // namespace tof
