// SPDX-License-Identifier: Apache-2.0
// Paper 000, Fig. 8 and Table III: the models of radial resolution.
#include "recon/experiment/papers.h"

namespace tof {

ExperimentReport runHaFig8(const ExperimentContext& context) {
    ExperimentReport report = runWidths(context);
    for (const Comparison& c : report.comparisons) {
        // Half a unit of the last digit printed.
        report.checks.push_back({c.quantity, within(std::stod(c.paper), 0.0051, c.unit), c.ours,
                                 "paper 000, Fig. 8 and Table III"});
    }
    return report;
}

}  // namespace tof
