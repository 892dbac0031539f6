// SPDX-License-Identifier: Apache-2.0
// Paper 000, Fig. 6: a spatially variant kernel spreads evenly forward, and gathers from the edge back.
#include "recon/experiment/papers.h"

namespace tof {

ExperimentReport runHaFig6(const ExperimentContext& context) {
    constexpr const char* kPaper = "paper 000, section 5.2 and Fig. 6";
    ExperimentReport report = runVariant(context);
    // Rows: forward and back of the outer point at -y, of the middle one, of the other outer one.
    report.checks = {
        {"forward: mean offset of the outer point towards the centre", within(0, 0.5, "mm"),
         cellOf(report, 0, "inwards_mm"), kPaper},
        {"back: the same; it is wider towards the edge", below(-1, "mm"), cellOf(report, 1, "inwards_mm"),
         kPaper},
        {"forward: sum of what a point becomes", within(1, 0.01), cellOf(report, 0, "sum"), kPaper},
        {"largest difference of forward and back", above(1, "% of the maximum"), report.comparisons[2].ours,
         kPaper},
        {"outer point forward over the middle one, width", above(1),
         cellOf(report, 0, "fwhm_mm") / cellOf(report, 2, "fwhm_mm"), kPaper}};
    return report;
}

}  // namespace tof
