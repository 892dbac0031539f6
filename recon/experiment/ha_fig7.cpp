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
    report.checks = {
        {"symmetric, invariant: largest difference of forward and back", atMost(1e-3, "% of the maximum"),
         report.comparisons[2].ours, kPaper},
        {"symmetric, variant: offset forward", within(0, 0.5, "mm"), inwards(1, true), kPaper},
        {"symmetric, variant: offset back", below(0, "mm"), inwards(1, false), kPaper},
        {"asymmetric, invariant: offset forward, towards the centre", above(0, "mm"), inwards(2, true),
         kPaper},
        {"asymmetric, invariant: offset back, towards the edge", below(0, "mm"), inwards(2, false), kPaper},
        {"asymmetric, variant: offset forward, towards the centre", above(0, "mm"), inwards(3, true), kPaper},
        {"asymmetric, variant: offset back, towards the edge", below(0, "mm"), inwards(3, false), kPaper},
        {"asymmetric, variant: width near the edge over that at the centre", above(1),
         width(3, 0) / width(3, 1), kPaper}};
    return report;
}

}  // namespace tof
