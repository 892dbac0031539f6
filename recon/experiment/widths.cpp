// SPDX-License-Identifier: Apache-2.0
// Paper 000, Fig. 8: the radial resolutions that its reconstructions model.
#include <fmt/format.h>

#include "recon/experiment/experiment.h"
#include "recon/experiment/papers.h"
#include "recon/kernel/kernel_edit.h"
#include "recon/kernel/kernel_spec.h"

namespace tof {

ExperimentReport runWidths(const ExperimentContext& context) {
    constexpr double kEdge_mm = 288;  // edge of the scanner's field of view
    const double step = context.pick(48.0, 4.0, 1.0);
    ExperimentReport report;
    report.conditions = "FWHM of the radial resolution of the presets of the paper's scanner.";
    report.data.columns = {"s_mm"};
    std::vector<KernelSpec> kernels;
    std::vector<ChartLine> lines;
    for (const std::string& name : scannerPresets()) {
        kernels.push_back(KernelSpec::preset(name));
        report.data.columns.push_back(name);
        lines.push_back({name});
    }
    for (double s = 0; s <= kEdge_mm; s += step) {
        context.progress("widths", s / kEdge_mm);
        report.data.rows.push_back({s});
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            const double width = kernels[i].radial.at(s);
            report.data.rows.back().emplace_back(width);
            lines[i].add(s, width);
        }
    }
    struct Printed {
        const char* kernel;
        double s_mm;
        const char* width;
    };
    constexpr Printed kPrinted[] = {{"invariant", kEdge_mm, "5.8"}, {"variant1", 0, "4.8"},
                                    {"variant1", 75, "5.8"},        {"variant1", kEdge_mm, "10"},
                                    {"variant2", 0, "5.8"},         {"variant2", kEdge_mm, "12"},
                                    {"variant3", kEdge_mm, "11.17"}};
    for (const Printed& printed : kPrinted) {
        report.comparisons.push_back({fmt::format("{} at {:g} mm", printed.kernel, printed.s_mm), "mm",
                                      printed.width,
                                      KernelSpec::preset(printed.kernel).radial.at(printed.s_mm), ""});
    }
    report.pictures.push_back({"widths.svg", "Radial resolution against the distance from the centre.",
                               LineChart{"|s|, mm", "radial FWHM, mm", lines}});
    return report;
}

}  // namespace tof
