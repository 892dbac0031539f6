// SPDX-License-Identifier: Apache-2.0
// Paper 000, Fig. 7: four kinds of kernels at 30 degrees.
#include "recon/experiment/papers.h"

namespace tof {

ExperimentReport runHaFig7(const ExperimentContext& context) {
    constexpr const char* kPaper = "paper 000, section 5.2 and Fig. 7";
    ExperimentReport report = runAsymmetric(context);
    // Each kernel has six rows: forward and back of the outer point at -y, the middle and the other outer
    // one; and three comparisons, the last the largest difference of both.
    constexpr std::size_t kRows = 6;
    const auto inwards = [&](std::size_t kernel, bool forward) {
        return cellOf(report, kRows * kernel + (forward ? 0 : 1), "inwards_mm");
    };
    const auto width = [&](std::size_t kernel, std::size_t point) {
        return cellOf(report, kRows * kernel + 2 * point, "fwhm_mm");
    };
    report.checks = {{.name = "symmetric, invariant: largest difference of forward and back",
                      .relation = Relation::AtMost,
                      .bound = 1e-3,
                      .value = report.comparisons[2].ours,
                      .unit = "% of the maximum",
                      .source = kPaper},
                     {.name = "symmetric, variant: offset forward",
                      .relation = Relation::Within,
                      .bound = 0,
                      .tolerance = 0.5,
                      .value = inwards(1, true),
                      .unit = "mm",
                      .source = kPaper},
                     {.name = "symmetric, variant: offset back",
                      .relation = Relation::Below,
                      .bound = 0,
                      .value = inwards(1, false),
                      .unit = "mm",
                      .source = kPaper},
                     {.name = "asymmetric, invariant: offset forward, towards the centre",
                      .relation = Relation::Above,
                      .bound = 0,
                      .value = inwards(2, true),
                      .unit = "mm",
                      .source = kPaper},
                     {.name = "asymmetric, invariant: offset back, towards the edge",
                      .relation = Relation::Below,
                      .bound = 0,
                      .value = inwards(2, false),
                      .unit = "mm",
                      .source = kPaper},
                     {.name = "asymmetric, variant: offset forward, towards the centre",
                      .relation = Relation::Above,
                      .bound = 0,
                      .value = inwards(3, true),
                      .unit = "mm",
                      .source = kPaper},
                     {.name = "asymmetric, variant: offset back, towards the edge",
                      .relation = Relation::Below,
                      .bound = 0,
                      .value = inwards(3, false),
                      .unit = "mm",
                      .source = kPaper},
                     {.name = "asymmetric, variant: width near the edge over that at the centre",
                      .relation = Relation::Above,
                      .bound = 1,
                      .value = width(3, 0) / width(3, 1),
                      .source = kPaper}};
    return report;
}

}  // namespace tof
