// SPDX-License-Identifier: Apache-2.0
// Paper 000, section 5: points through forward and back projection, and how long that takes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "recon/base/constants.h"
#include "recon/experiment/experiment.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/points.h"
#include "recon/kernel/point_response.h"
#include "recon/lab/projection_comparison.h"
#include "recon/lab/view_projection.h"

namespace tof {

namespace {

/// How a point came out along the radial axis.
struct RadialSpread {
    double mass = 0;
    double inwards_mm = 0;  ///< mean offset towards the centre
    double fwhm_mm = 0;     ///< of the Gaussian with the same variance
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

ExperimentReport runFourier(const ExperimentContext& context) {
    const Lattice lattice = paperLattice(context);
    const View view{60 * kRadPerDeg, 0};
    const KernelSpec kernel = KernelSpec::preset("ha-fig5");
    ProjectionInput input{lattice, pointsAlongY(lattice, kNearEdge_mm), nullptr};
    ExperimentReport report;
    report.conditions = fmt::format(
        "Three points along y, {}, view at 60 degrees, 900 ps, 50 mm radially, 10 mm axially; the "
        "Fourier transform with the analytic spectrum.",
        latticeText(lattice));
    report.data.columns = {"cutoff", "padding", "largest_difference", "rms"};
    EngineOptions options;
    options.threads = context.threads;
    options.spectrum = Spectrum::Analytic;
    options.measurePlans = false;
    double done = 0;
    const auto checkpoint = [&] { context.progress("projections", done); };
    for (const double cutoff : {3.0, 4.0}) {
        for (const Padding::Mode padding : {Padding::Mode::Off, Padding::Mode::Auto}) {
            options.padding.mode = padding;
            ViewProjections projections(context.engines, options);
            KernelSpec cut = kernel;
            cut.cutoff = cutoff;
            const ProjectionComparison both =
                compareProjections(projections,
                                   {Projecting{ProjectionKind::Forward, "fftw", "", cut},
                                    Projecting{ProjectionKind::Forward, kDefinition, "", cut}},
                                   input, view, checkpoint);
            done += 0.25;
            const bool padded = padding == Padding::Mode::Auto;
            if (!both.figures) {
                report.comparisons.push_back(
                    {"difference of both", "%", "< 1", kMissing, both.sides[0].whyNot});
                return report;
            }
            const double peak = peakOf(*both.sides[1].volume);
            const double largest = 100 * both.figures->largest / peak;
            report.data.rows.push_back(
                {cutoff, std::string(padded ? "auto" : "off"), largest / 100, both.figures->rms / peak});
            report.comparisons.push_back(
                {fmt::format("largest difference, cut at {:g} sigma, {}", cutoff,
                             padded ? "padded with zeros" : "not padded"),
                 "% of the maximum", cutoff == 3 && !padded ? "< 1 % (tails that wrap round set aside)" : "",
                 largest, ""});
            if (cutoff == 3 && !padded) {
                SliceMosaic rows;
                const Vec3 through = lattice.centre(input.points[1]);
                for (const Plane plane : kPlanes) {
                    const Tone difference{-0.05 * peak, 0.05 * peak, Palette::Diverging};
                    rows.push_back({{both.sides[0].volume, plane, through, upTo(peak), zoomOf(context)},
                                    {both.sides[1].volume, plane, through, upTo(peak), zoomOf(context)},
                                    {both.difference, plane, through, difference, zoomOf(context)}});
                }
                report.pictures.push_back(
                    {"planes.png",
                     "Columns: by Fourier transform, in space, their difference (+- 5 % of the maximum); "
                     "rows: transverse, sagittal, coronal.",
                     std::move(rows)});
            }
        }
    }
    report.notes = {
        "Unpadded, the largest difference lies where tails leave the lattice and come back at its other "
        "side; "
        "padding removes it.",
        "Cut at 3 sigma and made to sum to one again, the kernel is 3.0 % too high at its peak: see the "
        "experiment cutoff."};
    return report;
}

ExperimentReport runCutoff(const ExperimentContext& context) {
    const std::vector<double> cutoffs{1, 2, 2.5, 3, 3.5, 4, 3 * std::sqrt(3.0)};
    KernelSpec kernel = KernelSpec::preset("ha-fig5");
    const double voxel = context.pick(8.0, 4.0, 4.0);
    const Lattice lattice = Lattice::centred({1, 1, 1}, {voxel, voxel, voxel});
    // The tables sum to one at every cut-off: the value at the source tells what was inside.
    const auto central = [&](double cutoff, std::size_t& taps) {
        kernel.cutoff = cutoff;
        const KernelTables tables = buildKernelTables(kernel, lattice, View{60 * kRadPerDeg, 0});
        taps = tables.taps.size();
        const auto row = tables.row(tables.ids[0]);
        return static_cast<double>(*std::max_element(row.begin(), row.end()));
    };
    ExperimentReport report;
    report.conditions = fmt::format(
        "Kernel of 900 ps, 50 mm and 10 mm sampled at voxels of {:g} mm, view at 60 degrees.", voxel);
    report.data.columns = {"cutoff", "mass_inside", "mass_of_a_gaussian", "step_at_edge", "taps"};
    std::size_t taps = 0;
    const double whole = central(6.5, taps);
    ChartLine sampled{"mass inside, sampled"};
    ChartLine exact{"mass inside, Gaussian"};
    ChartLine step{"step at the edge, of the peak"};
    for (std::size_t i = 0; i < cutoffs.size(); ++i) {
        context.progress("kernels", static_cast<double>(i) / static_cast<double>(cutoffs.size()));
        const double k = cutoffs[i];
        const double inside = whole / central(k, taps);
        const double gaussian = std::erf(k / std::sqrt(2.0)) - std::sqrt(2 / kPi) * k * std::exp(-k * k / 2);
        const double edge = std::exp(-k * k / 2);
        report.data.rows.push_back({k, inside, gaussian, edge, static_cast<double>(taps)});
        sampled.add(k, inside);
        exact.add(k, gaussian);
        step.add(k, edge);
        if (k == 3) {
            report.comparisons.push_back({"mass inside 3 sigma", "%", "", 100 * inside,
                                          fmt::format("a Gaussian has {:.2f} %", 100 * gaussian)});
            report.comparisons.push_back({"step at the edge, cut at 3 sigma", "% of the maximum",
                                          "less than 0.48 %", 100 * edge, "exp(-9/2)"});
        }
        if (i + 1 == cutoffs.size()) {
            report.comparisons.push_back({"mass inside the printed volume, k = 3 sqrt 3", "%", "",
                                          100 * inside,
                                          fmt::format("a Gaussian has {:.4f} %", 100 * gaussian)});
        }
    }
    report.pictures.push_back({"mass.svg", "Mass inside and step at the edge against the cut-off.",
                               LineChart{"cut-off, sigma", "share", {sampled, exact, step}}});
    return report;
}

ExperimentReport runTimeByWidth(const ExperimentContext& context) {
    const Lattice lattice = paperLattice(context);
    const int runs = context.pick(1, 3, 15);
    EngineOptions options;
    options.threads = context.threads;
    options.padding.mode = Padding::Mode::Off;
    options.measurePlans = context.size == ExperimentSize::Full;
    ViewProjections projections(context.engines, options);
    const ProjectionInput input{lattice, pointsAlongY(lattice, kNearEdge_mm), nullptr};
    struct Case {
        double tof_ps;
        double radial_mm;
        double axial_mm;
    };
    const std::vector<Case> cases{{300, 10, 5}, {600, 10, 5}, {900, 10, 5}, {1200, 10, 5},
                                  {300, 5, 5},  {300, 15, 5}, {300, 20, 5}, {375, 6.5, 6.5}};
    ExperimentReport report;
    report.conditions = fmt::format(
        "{}, view at 30 degrees, milliseconds per projection (mean of forward and back, medians of {}), "
        "engine "
        "'{}' against 'fftw' unpadded.",
        latticeText(lattice), runs, context.engine);
    report.data.columns = {"tof_ps", "radial_mm", "axial_mm", "space_ms", "fourier_ms", "ratio"};
    ChartLine space{"in space"};
    ChartLine fourier{"by Fourier transform"};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Case& c = cases[i];
        const auto checkpoint = [&] {
            context.progress(fmt::format("{:g} ps, {:g} mm", c.tof_ps, c.radial_mm),
                             static_cast<double>(i) / static_cast<double>(cases.size()));
        };
        checkpoint();
        KernelSpec kernel;
        kernel.tof_ps = c.tof_ps;
        kernel.radial.form = WidthKnots{{0.0, c.radial_mm}};
        kernel.axial_mm = c.axial_mm;
        const double here = projectionTime_ms(projections, context.engine, kernel, input, runs, checkpoint);
        const double there = projectionTime_ms(projections, "fftw", kernel, input, runs, checkpoint);
        report.data.rows.push_back({c.tof_ps, c.radial_mm, c.axial_mm, here, there, here / there});
        if (i < 4) {
            space.add(c.tof_ps, here);
            fourier.add(c.tof_ps, there);
        }
        const std::string paper = c.tof_ps == 600   ? "similar or faster up to 600 ps"
                                  : c.tof_ps == 375 ? "0.5 (GTX 285, two times faster)"
                                                    : "";
        report.comparisons.push_back(
            {fmt::format("space / Fourier at {:g} ps, {:g} mm", c.tof_ps, c.radial_mm), "", paper,
             here / there, std::isfinite(there) ? "" : "fftw is not there"});
    }
    report.pictures.push_back({"tof.svg", "Against the TOF resolution, radially 10 mm and axially 5 mm.",
                               LineChart{"TOF resolution, ps FWHM", "ms per projection", {space, fourier}}});
    report.notes = {"The paper set one GTX 285 against a 2.66 GHz Xeon; here both run on this machine."};
    return report;
}

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
