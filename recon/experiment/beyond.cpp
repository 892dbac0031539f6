// SPDX-License-Identifier: Apache-2.0
// What the papers do not have: events of one list in three forms, measured kernels, bands of confidence,
// voxels of 2 mm, a long axial field, and where list-mode is the cheaper way.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

#include "recon/base/error.h"
#include "recon/experiment/beyond_parts.h"
#include "recon/experiment/papers.h"

namespace tof {

ExperimentContext within(const ExperimentContext& context, double from, double to) {
    ExperimentContext part = context;
    part.progress = [outer = context.progress, from, to](const std::string& what, double done) {
        outer(what, from + done * (to - from));
    };
    return part;
}

double meanInside(const Volume& image, double radius_mm, double halfLength_mm) {
    double sum = 0;
    double voxels = 0;
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 at = image.lattice.centre(x, y, z);
        if (std::hypot(at.x, at.y) < radius_mm && std::abs(at.z) < halfLength_mm) {
            sum += static_cast<double>(image.at(x, y, z));
            voxels += 1;
        }
    });
    return sum / voxels;
}

KernelSpec withVoxels(KernelSpec kernel, const Lattice& lattice) {
    constexpr double kPerVoxel = 8 * 0.69314718056 / 6;  // FWHM squared of two boxes: variances of 1/12 each
    const auto wider = [](double fwhm, double voxel) {
        return std::sqrt(fwhm * fwhm + kPerVoxel * voxel * voxel);
    };
    kernel.axial_mm = wider(kernel.axial_mm, lattice.spacing_mm[2]);
    WidthKnots knots;
    for (double s = 0; s <= 300; s += 25) {
        knots.emplace_back(s, wider(kernel.radial.at(s), lattice.spacing_mm[0]));
    }
    kernel.radial.form = std::move(knots);
    kernel.sampling = KernelSampling::Centre;
    return kernel;
}

void addNumber(ExperimentReport& report, const std::string& part, const std::string& quantity, double value,
               const std::string& unit, const std::string& remark) {
    report.data.rows.push_back({part, quantity, value});
    report.comparisons.push_back({part + ": " + quantity, unit, "", value, remark});
}

ExperimentReport runBeyond(const ExperimentContext& context) {
    ExperimentReport report;
    report.conditions =
        "Six parts, each with its own data: one list in three forms, measured kernels, bands of confidence, "
        "voxels of 2 mm, a long axial field, and what list-mode costs.";
    report.data.columns = {"part", "quantity", "value"};
    struct Part {
        const char* name;
        void (*add)(ExperimentReport& report, const ExperimentContext& context);
    };
    constexpr std::array<Part, 6> kParts{{{"one list, three forms", addThreeWays},
                                          {"measured kernel", addMeasuredKernel},
                                          {"bands of confidence", addBands},
                                          {"voxels of 2 mm, 120 views", addFineVoxels},
                                          {"long axial field", addLongAxial},
                                          {"list-mode", addBreakEven}}};
    for (std::size_t i = 0; i < kParts.size(); ++i) {
        if (context.size == ExperimentSize::Tiny && kParts[i].add != addBands) {
            continue;  // the others take ten seconds each, however few their events: scanners have many pairs
        }
        const double share = 1.0 / static_cast<double>(kParts.size());
        const auto start = std::chrono::steady_clock::now();
        try {
            kParts[i].add(
                report, within(context, share * static_cast<double>(i), share * static_cast<double>(i + 1)));
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& fault) {  // the others are worth having
            report.checks.push_back({fmt::format("{}: comes to its end", kParts[i].name), atLeast(1), 0,
                                     "this program", fault.what()});
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        addNumber(report, kParts[i].name, "s in all", took.count(), "s");
    }
    return report;
}

}  // namespace tof
