// SPDX-License-Identifier: Apache-2.0
// Paper 000, Fig. 1: what one point becomes in a view at 45 degrees.
#include <fmt/format.h>

#include <cmath>

#include "recon/base/constants.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/points.h"
#include "recon/kernel/point_response.h"

namespace tof {

namespace {

/// Second moments of a slice of values about their mean.
struct Ellipse {
    double mass = 0;
    double angle_deg = 0;  ///< angle of the long axis from x
    double long_fwhm_mm = 0;
    double short_fwhm_mm = 0;
};

Ellipse ellipseOf(const Volume& volume) {
    double mass = 0;
    Vec3 mean{};
    volume.lattice.forEachVoxel([&](int x, int y, int z) {
        const auto value = static_cast<double>(volume.at(x, y, z));
        mass += value;
        mean = mean + value * volume.lattice.centre(x, y, z);
    });
    mean = (1 / mass) * mean;
    double xx = 0;
    double xy = 0;
    double yy = 0;
    volume.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 d = volume.lattice.centre(x, y, z) - mean;
        const double share = static_cast<double>(volume.at(x, y, z)) / mass;
        xx += share * d.x * d.x;
        xy += share * d.x * d.y;
        yy += share * d.y * d.y;
    });
    const double half = 0.5 * (xx + yy);
    const double apart = std::hypot(0.5 * (xx - yy), xy);
    return {mass, 0.5 * std::atan2(2 * xy, xx - yy) / kRadPerDeg, kFwhmPerSigma * std::sqrt(half + apart),
            kFwhmPerSigma * std::sqrt(half - apart)};
}

/// Variance of one coordinate inside an ellipsoid cut at k sigma, of that of the whole Gaussian.
double varianceInside(double k) {
    const double e = std::sqrt(2 / kPi) * k * std::exp(-k * k / 2);
    const double inside = std::erf(k / std::sqrt(2.0)) - e;
    return 1 - e * k * k / 3 / inside;
}

}  // namespace

ExperimentReport runHaFig1(const ExperimentContext& context) {
    const Lattice lattice = paperLattice(context);
    const View view{45 * kRadPerDeg, 0};
    const KernelSpec kernel = KernelSpec::preset("invariant");
    const std::vector<VoxelIndex> point{nearestVoxel(lattice, {2, 2, 2})};
    context.progress("projection", 0);
    const KernelTables tables = buildKernelTables(kernel, lattice, view);
    const auto spread = std::make_shared<const Volume>(forwardOfPoints(tables, lattice, point));
    const Ellipse found = ellipseOf(*spread);
    const Vec3 along = view.axes().u;
    double expected = std::atan2(along.y, along.x) / kRadPerDeg;
    expected += expected <= -90 ? 180 : expected > 90 ? -180 : 0;
    const double shrunk = std::sqrt(varianceInside(kernel.cutoff));
    const double tof = kFwhmPerSigma * kernel.sigmaTof_mm() * shrunk;
    const double voxel = lattice.spacing_mm[0];
    ExperimentReport report;
    report.conditions = fmt::format(
        "One voxel of {}, view at 45 degrees, kernel 'invariant' (400 ps, 5.8 mm).", latticeText(lattice));
    report.data = {{"sum", "angle_deg", "long_fwhm_mm", "short_fwhm_mm"},
                   {{found.mass, found.angle_deg, found.long_fwhm_mm, found.short_fwhm_mm}}};
    report.comparisons = {
        {"direction of the long axis", "degrees", "45", std::abs(found.angle_deg), ""},
        {"along it", "mm FWHM", "", found.long_fwhm_mm, fmt::format("{:.2f} cut at 3 sigma", tof)},
        {"across it", "mm FWHM", "", found.short_fwhm_mm, ""}};
    const char* const model = "docs/model.md, section 2";
    report.checks = {{"sum of what one point becomes", within(1, 1e-5), found.mass, model},
                     {"direction of the long axis", within(expected, 0.5, "degrees"), found.angle_deg,
                      "paper 000, Fig. 1"},
                     {"width along the line of response, cut at 3 sigma",
                      within(tof, 0.01 * tof + 0.05 * voxel, "mm"), found.long_fwhm_mm, model}};
    report.pictures.push_back(
        {"planes.png", "The point at 45 degrees: transverse, sagittal, coronal.", SliceMosaic(1)});
    auto& row = std::get<SliceMosaic>(report.pictures.back().shown).front();
    for (const Plane plane : kPlanes) {
        row.push_back(
            {spread, plane, lattice.centre(point.front()), upTo(peakOf(*spread)), context.pick(1, 2, 2)});
    }
    report.images.push_back({"point at 45 degrees", spread});
    return report;
}

}  // namespace tof
