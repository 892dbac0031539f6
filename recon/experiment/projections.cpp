// SPDX-License-Identifier: Apache-2.0
// Paper 000, section 5: points through forward and back projection.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/experiment/experiment.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/points.h"
#include "recon/kernel/point_response.h"
#include "recon/lab/projection_comparison.h"

namespace tof {

namespace {

/// How a point came out along the radial axis.
struct RadialSpread {
    double mass = 0;
    double inwards_mm = 0;  ///< mean offset towards the centre
    double fwhm_mm = 0;     ///< FWHM of the Gaussian with the same variance
};

RadialSpread spreadAbout(const Volume& response, const VoxelIndex& point, const View& view) {
    const Lattice& lattice = response.lattice;
    const Vec3 r = view.axes().r;
    const Vec3 source = lattice.centre(point);
    const double sign = dot(source, r) < 0 ? 1 : -1;
    double first = 0;
    double second = 0;
    RadialSpread spread;
    lattice.forEachVoxel([&](int x, int y, int z) {
        const auto value = static_cast<double>(response.at(x, y, z));
        const double q = sign * dot(lattice.centre(x, y, z) - source, r);
        spread.mass += value;
        first += value * q;
        second += value * q * q;
    });
    spread.inwards_mm = first / spread.mass;
    spread.fwhm_mm = kFwhmPerSigma * std::sqrt(second / spread.mass - spread.inwards_mm * spread.inwards_mm);
    return spread;
}

int zoomOf(const ExperimentContext& context) {
    return context.pick(1, 2, 2);
}

/// Adds a row per point and direction: kernel, direction, |s|, mass, offset and width.
void addSpreads(ExperimentReport& report, const std::string& name, const KernelTables& tables,
                const Lattice& lattice, const View& view, const std::vector<VoxelIndex>& points) {
    for (const VoxelIndex& point : points) {
        const std::vector<VoxelIndex> one{point};
        const double s = std::abs(dot(lattice.centre(point), view.axes().r));
        for (const bool forward : {true, false}) {
            const RadialSpread spread = spreadAbout(
                forward ? forwardOfPoints(tables, lattice, one) : backOfPoints(tables, lattice, one), point,
                view);
            report.data.rows.push_back({name, std::string(forward ? "forward" : "back"), s, spread.mass,
                                        spread.inwards_mm, spread.fwhm_mm});
        }
    }
    report.data.columns = {"kernel", "projection", "s_mm", "sum", "inwards_mm", "fwhm_mm"};
}

/// In per cent of the first one's maximum.
double largestDifference(const Volume& a, const Volume& b) {
    return 100 * compareVolumes(a, b).largest / peakOf(a);
}

}  // namespace

ExperimentReport runVariant(const ExperimentContext& context) {
    const Lattice lattice = paperLattice(context);
    const View view{30 * kRadPerDeg, 0};
    const std::vector<VoxelIndex> points = pointsAlongY(lattice, kWellInside_mm);
    context.progress("tables", 0);
    const KernelTables tables = buildKernelTables(KernelSpec::preset("ha-test"), lattice, view);
    context.progress("projections", 0.3);
    const std::array both{std::make_shared<const Volume>(forwardOfPoints(tables, lattice, points)),
                          std::make_shared<const Volume>(backOfPoints(tables, lattice, points))};
    ExperimentReport report;
    report.conditions = fmt::format(
        "Three points along y, {}, view at 30 degrees, 900 ps, 10 mm radially at the centre to "
        "100 mm at 288 mm, 10 mm axially.",
        latticeText(lattice));
    addSpreads(report, "ha-test", tables, lattice, view, points);
    const auto value = [&](std::size_t row, std::size_t column) {
        return std::get<double>(report.data.rows[row][column]);
    };
    report.comparisons = {{"forward: offset of the outer point's spread towards the centre", "mm",
                           "symmetric", value(0, 4), ""},
                          {"back: the same", "mm", "wider towards the edge: negative", value(1, 4), ""},
                          {"largest difference of forward and back", "% of the maximum", "not equal",
                           largestDifference(*both[0], *both[1]), ""}};
    SliceMosaic rows;
    const Vec3 through = lattice.centre(points[1]);
    for (const Plane plane : kPlanes) {
        rows.emplace_back();
        for (const auto& volume : both) {
            rows.back().push_back({volume, plane, through, upTo(0.2 * peakOf(*volume)), zoomOf(context)});
        }
    }
    report.pictures.push_back(
        {"planes.png",
         "Columns: forward, back; rows: transverse, sagittal, coronal; black is a fifth "
         "of the maximum.",
         std::move(rows)});
    return report;
}

ExperimentReport runAsymmetric(const ExperimentContext& context) {
    const Lattice lattice = paperLattice(context);
    const View view{30 * kRadPerDeg, 0};
    const std::vector<VoxelIndex> points = pointsAlongY(lattice, kWellInside_mm);
    const std::vector<std::string> kernels{"ha-fig7", "ha-fig7-variant", "ha-fig7-asymmetric",
                                           "ha-fig7-variant-asymmetric"};
    ExperimentReport report;
    report.conditions = fmt::format(
        "Three points along y, {}, view at 30 degrees, 600 ps, radially 50 mm (invariant) or 10 to "
        "80 mm (variant), axially 10 mm; asymmetric: half of it twice as wide and moved inwards by "
        "one sigma.",
        latticeText(lattice));
    SliceMosaic rows(2);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        context.progress(kernels[i], static_cast<double>(i) / static_cast<double>(kernels.size()));
        const KernelTables tables = buildKernelTables(KernelSpec::preset(kernels[i]), lattice, view);
        const auto forward = std::make_shared<const Volume>(forwardOfPoints(tables, lattice, points));
        const auto back = std::make_shared<const Volume>(backOfPoints(tables, lattice, points));
        const Vec3 through = lattice.centre(points[1]);
        const double black = (i % 2 == 0 ? 1.0 : 0.3) * peakOf(*forward);
        rows[0].push_back({forward, Plane::Transverse, through, upTo(black), zoomOf(context)});
        rows[1].push_back({back, Plane::Transverse, through, upTo(black), zoomOf(context)});
        const std::size_t first = report.data.rows.size();
        addSpreads(report, kernels[i], tables, lattice, view, points);
        const auto inwards = [&](std::size_t row) {
            return std::get<double>(report.data.rows[first + row][4]);
        };
        const bool symmetric = i < 2;
        report.comparisons.push_back({kernels[i] + ", forward: offset towards the centre", "mm",
                                      symmetric ? "symmetric" : "towards the centre", inwards(0), ""});
        report.comparisons.push_back({kernels[i] + ", back: offset towards the centre", "mm",
                                      i == 0 ? "as forward" : "towards the edge: negative", inwards(1), ""});
        report.comparisons.push_back({kernels[i] + ", largest difference of forward and back",
                                      "% of the maximum", i == 0 ? "none" : "not equal",
                                      largestDifference(*forward, *back), ""});
    }
    report.pictures.push_back(
        {"transverse.png",
         "Columns: symmetric invariant, symmetric variant, asymmetric invariant, asymmetric variant; rows: "
         "forward, back. Black is the maximum of each kernel's forward projection, a third of it where the "
         "kernel varies.",
         std::move(rows)});
    report.notes = {"Offsets are of the point at y = -150 mm; the table has all three."};
    return report;
}

}  // namespace tof
