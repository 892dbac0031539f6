// SPDX-License-Identifier: Apache-2.0
// Paper 000, Fig. 6: a spatially variant kernel spreads evenly forward, and gathers from the edge back.
#include "recon/experiment/papers.h"

namespace tof {

ExperimentReport runHaFig6(const ExperimentContext& context) {
    constexpr const char* kPaper = "paper 000, section 5.2 and Fig. 6";
    ExperimentReport report = runVariant(context);
    // Rows: forward and back of the outer point at -y, of the middle one, of the other outer one.
    report.checks = {{.name = "forward: mean offset of the outer point towards the centre",
                      .relation = Relation::Within,
                      .bound = 0,
                      .tolerance = 0.5,
                      .value = cellOf(report, 0, "inwards_mm"),
                      .unit = "mm",
                      .source = kPaper},
                     {.name = "back: the same; it is wider towards the edge",
                      .relation = Relation::Below,
                      .bound = -1,
                      .value = cellOf(report, 1, "inwards_mm"),
                      .unit = "mm",
                      .source = kPaper},
                     {.name = "forward: sum of what a point becomes",
                      .relation = Relation::Within,
                      .bound = 1,
                      .tolerance = 0.01,
                      .value = cellOf(report, 0, "sum"),
                      .source = kPaper},
                     {.name = "largest difference of forward and back",
                      .relation = Relation::Above,
                      .bound = 1,
                      .value = report.comparisons[2].ours,
                      .unit = "% of the maximum",
                      .source = kPaper},
                     {.name = "outer point forward over the middle one, width",
                      .relation = Relation::Above,
                      .bound = 1,
                      .value = cellOf(report, 0, "fwhm_mm") / cellOf(report, 2, "fwhm_mm"),
                      .source = kPaper}};
    return report;
}

}  // namespace tof
