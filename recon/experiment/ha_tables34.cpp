// SPDX-License-Identifier: Apache-2.0
// Paper 000, Tables III and IV: what an iteration costs, and which stage of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "recon/experiment/papers.h"

namespace tof {

namespace {

/// The first row of a kernel, or of an engine other than it: rows say engine and kernel in words.
double cellOfKernel(const ExperimentReport& report, const std::string& kernel, bool fourier,
                    const std::string& column) {
    for (std::size_t row = 0; row < report.data.rows.size(); ++row) {
        const auto& engine = std::get<std::string>(report.data.rows[row][0]);
        const bool isFourier =
            engine.find("fftw") != std::string::npos || engine.find("FFT") != std::string::npos;
        if (std::get<std::string>(report.data.rows[row][1]) == kernel && isFourier == fourier) {
            return cellOf(report, row, column);
        }
    }
    return kMissing;
}

/// Bytes per second between a device and its memory, by its clock and bus; 0 where it does not tell.
double memoryBandwidth(const ExperimentContext& context) {
    const DeviceInfo device = context.engines.require(context.engine)->device();
    const auto property = [&](const std::string& name) {
        const auto found = std::find_if(device.properties.begin(), device.properties.end(),
                                        [&](const auto& pair) { return pair.first == name; });
        return found != device.properties.end() ? std::strtod(found->second.c_str(), nullptr) : 0.0;
    };
    constexpr double kEdges = 2;  // values a clock
    return kEdges * 1e9 * property("memory clock") * property("memory bus width") / 8;
}

/// Seconds of 20 iterations as Table IV prints them: forward and back projection, and all other stages.
struct PrintedStages {
    const char* kernel;
    double projections;
    double others;
};
constexpr PrintedStages kTable4[] = {{"invariant", 105.27 + 103.18, 7.53 + 2.85 + 0.32 + 7.59 + 2.85 + 12.59},
                                     {"variant1", 172.88 + 169.81, 7.55 + 2.86 + 0.32 + 7.59 + 2.85 + 12.58}};

/// What the other stages of an iteration are here, and how much faster than the paper's both became: the
/// paper's share is one of projections that took a thousand times as long.
std::string whyOthers(const ExperimentContext& context, const ExperimentReport& report,
                      const PrintedStages& printed) {
    const auto ms = [&](const char* column) {
        return 1e3 * cellOfKernel(report, printed.kernel, false, column);
    };
    const double whole = ms("seconds_per_iteration");
    const double projections = ms("forward_s") + ms("back_s");
    std::string why = fmt::format(
        "of {:.4g} ms projections take {:.4g}, discrepancy {:.3g}, update {:.3g}, copying the iterate "
        "{:.3g}; "
        "beside the paper's projections are {:.0f} times as fast, its other stages {:.0f} times",
        whole, projections, ms("discrepancy_s"), ms("update_s"), ms("download_s"),
        1e3 * printed.projections / 20 / projections, 1e3 * printed.others / 20 / (whole - projections));
    const double bandwidth = context.engine == "cuda" ? memoryBandwidth(context) : 0;
    if (bandwidth > 0) {
        // Discrepancy reads counts and projection and writes their quotient; the update reads image, back
        // projection and sensitivity and writes the image: seven values of four bytes per voxel and view.
        constexpr double kBytes = 7.0 * 4 * 144 * 144 * 48 * 120;
        why += fmt::format(
            "; discrepancy and update move {:.2g} GB, which takes {:.2g} ms at the rate of this device's "
            "memory",
            1e-9 * kBytes, 1e3 * kBytes / bandwidth);
    }
    return why;
}

}  // namespace

ExperimentReport runHaTable3(const ExperimentContext& context) {
    constexpr const char* kPaper = "paper 000, section 6.2 and Table III";
    ExperimentReport report = stageTimes(context, StageRows::All);
    const auto seconds = [&](const char* kernel, bool fourier) {
        return cellOfKernel(report, kernel, fourier, "seconds_per_iteration");
    };
    const double invariant = seconds("invariant", false);
    report.checks = {
        {"invariant: in space over Fourier transform, \"slightly faster or comparable\"", atMost(1.1),
         invariant / seconds("invariant", true), kPaper,
         context.engine == "cpu" ? "both on this machine's processor; the paper's space side ran on a GPU"
                                 : ""},
        {"variant1 over invariant", above(1), seconds("variant1", false) / invariant, kPaper},
        {"variant3 over variant1, wider at the edge", above(1),
         seconds("variant3", false) / seconds("variant1", false), kPaper},
        {"variant2 over variant3, wider at the edge", above(1),
         seconds("variant2", false) / seconds("variant3", false), kPaper}};
    // The support of a kernel is that of its widest voxel, which lies in a corner of the lattice.
    const double corner = std::hypot(288.0, 288.0);
    report.checks.back().remark = fmt::format(
        "beyond the edge at 288 mm the formula of variant3 goes on, to {:.1f} mm in the corners of the "
        "lattice, "
        "where variant2 stays at {:.1f}, and the support of a kernel is that of its widest voxel; variant3 "
        "that "
        "stays as at the edge takes {:.3g} times as long as variant2",
        KernelSpec::preset("variant3").radial.at(corner), KernelSpec::preset("variant2").radial.at(corner),
        seconds(kVariant3ToEdge, false) / seconds("variant2", false));
    return report;
}

ExperimentReport runHaTable4(const ExperimentContext& context) {
    constexpr const char* kPaper = "paper 000, section 6.2 and Table IV";
    ExperimentReport report = stageTimes(context, StageRows::TableIV);
    for (const PrintedStages& printed : kTable4) {
        const char* const kernel = printed.kernel;
        const double projections =
            cellOfKernel(report, kernel, false, "forward_s") + cellOfKernel(report, kernel, false, "back_s");
        const double whole = cellOfKernel(report, kernel, false, "seconds_per_iteration");
        report.checks.push_back({fmt::format("{}: all but projections, of an iteration", kernel),
                                 atMost(10, "%"), 100 * (1 - projections / whole), kPaper,
                                 whyOthers(context, report, printed)});
    }
    const double tables = cellOfKernel(report, "variant1", false, "tables_s");
    const double projected = 20 * (cellOfKernel(report, "variant1", false, "forward_s") +
                                   cellOfKernel(report, "variant1", false, "back_s"));
    report.checks.push_back(
        {"variant1: making the tables, of the projections of 20 iterations", below(1, "%"),
         100 * tables / projected, "paper 000, section 5",
         fmt::format("{:.3g} ms of {:.3g}{}", 1e3 * tables, 1e3 * projected,
                     context.engine == "cuda"
                         ? "; the paper's three tables are a millisecond of it, made on the device, the "
                           "rest is the host's plans for tensor cores, which the paper had not"
                         : "")});
    report.checks.push_back({"projections of variant1 over those of invariant", above(1),
                             (cellOfKernel(report, "variant1", false, "forward_s") +
                              cellOfKernel(report, "variant1", false, "back_s")) /
                                 (cellOfKernel(report, "invariant", false, "forward_s") +
                                  cellOfKernel(report, "invariant", false, "back_s")),
                             kPaper});
    return report;
}

}  // namespace tof
