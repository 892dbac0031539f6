// SPDX-License-Identifier: Apache-2.0
// Paper 002: two ways to keep what is near in a cache.
#include <fmt/format.h>

#include <map>

#include "recon/base/constants.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/points.h"
#include "recon/kernel/point_response.h"

namespace tof {

namespace {

constexpr const char* kCachePaper = "paper 002, Table 2 and section V";
constexpr double kViews = 120;

/// 62 slices, as the paper's lattice had, or another number of them.
Lattice cacheLattice(const ExperimentContext& context, int slices = 62) {
    return context.size == ExperimentSize::Tiny ? Lattice::centred({36, 36, 8}, {16, 16, 16})
                                                : Lattice::centred({144, 144, slices}, {4, 4, 4});
}

struct Method {
    const char* strategy;
    const char* name;
    const char* forward_s;
    const char* back_s;
};
constexpr Method kMethods[] = {{"shared-list", "method 1, shared memory", "0.16213", "0.14077"},
                               {"texture-reduce", "method 2, texture cache", "0.10932", "0.07612"}};

struct MethodTimes {
    std::map<std::string, std::pair<double, double>> seconds;  ///< by strategy: forward and back
    double fourier_s = kMissing;                               ///< both, on this machine's processor
    double fourierOf48_s = kMissing;                           ///< both with 48 slices
    std::string whyNoFourier;
    std::string where;
};

MethodTimes measure(const ExperimentContext& context) {
    const auto inputOf = [&](int slices) {
        const Lattice lattice = cacheLattice(context, slices);
        return ProjectionInput{lattice, {nearestVoxel(lattice, {2, 2, 2})}, nullptr};
    };
    const int runs = context.pick(1, 3, 15);
    EngineOptions options;
    options.threads = context.threads;
    options.padding.mode = Padding::Mode::Off;
    ViewProjections projections(context.engines, options);
    MethodTimes found;
    found.where = context.engines.require(kDevice)->device().name;
    const auto once = [&](ProjectionKind kind, const char* engine, const char* strategy,
                          const KernelSpec& kernel, int slices = 62) {
        const auto checkpoint = [&] { context.progress(strategy, 0.5); };
        checkpoint();
        const auto timed = projections.time({kind, engine, strategy, kernel}, inputOf(slices),
                                            View{30 * kRadPerDeg, 0}, runs, checkpoint);
        const auto* const timing = std::get_if<StrategyTiming>(&timed);
        if (timing == nullptr) {
            found.whyNoFourier = std::get<Unsupported>(timed).why;
        }
        return timing != nullptr ? 1e-3 * timing->median_ms : kMissing;
    };
    const KernelSpec kernel = KernelSpec::preset("cache");
    for (const Method& method : kMethods) {
        found.seconds[method.strategy] = {once(ProjectionKind::Forward, kDevice, method.strategy, kernel),
                                          once(ProjectionKind::Back, kDevice, method.strategy, kernel)};
    }
    KernelSpec invariant = kernel;
    invariant.radial.form = WidthKnots{{0.0, 5.5}};
    const auto fourier = [&](int slices) {
        return once(ProjectionKind::Forward, "fftw", "", invariant, slices) +
               once(ProjectionKind::Back, "fftw", "", invariant, slices);
    };
    found.fourier_s = fourier(62);
    found.fourierOf48_s = fourier(48);
    return found;
}

std::string conditionsOf(const ExperimentContext& context, const MethodTimes& times) {
    return fmt::format(
        "{}, kernel 'cache' (300 ps, 5 to 6 mm radially, 5 mm axially), view at 30 degrees, on {}; the "
        "paper: GTX 480.",
        latticeText(cacheLattice(context)), times.where);
}

}  // namespace

ExperimentReport runCacheTable2(const ExperimentContext& context) {
    const auto times = context.once<MethodTimes>("cache", [&] { return measure(context); });
    ExperimentReport report;
    report.conditions = conditionsOf(context, *times);
    report.data.columns = {"strategy", "forward_s", "back_s"};
    for (const Method& method : kMethods) {
        const auto& [forward, back] = times->seconds.at(method.strategy);
        report.data.rows.push_back({std::string(method.strategy), forward, back});
        report.comparisons.push_back(
            {fmt::format("{}: forward", method.name), "s", method.forward_s, forward, ""});
        report.comparisons.push_back({fmt::format("{}: back", method.name), "s", method.back_s, back, ""});
    }
    const auto& [forward1, back1] = times->seconds.at("shared-list");
    const auto& [forward2, back2] = times->seconds.at("texture-reduce");
    const double iteration = kViews * (forward2 + back2);
    report.comparisons.push_back({"method 2: projections of an iteration of 120 views", "s",
                                  "24 (of the whole iteration)", iteration, ""});
    report.comparisons.push_back({"Fourier transform on the processor: the same", "s", "40",
                                  kViews * times->fourier_s, times->whyNoFourier});
    report.comparisons.push_back({"Fourier transform on the processor: the same with 48 slices", "s", "31",
                                  kViews * times->fourierOf48_s, times->whyNoFourier});
    report.checks = {
        {"method 1 over method 2, forward", above(1), forward1 / forward2, kCachePaper},
        {"method 1 over method 2, back", above(1), back1 / back2, kCachePaper},
        {"method 1, forward over back: forward is slower", above(1), forward1 / back1, kCachePaper},
        {"method 2, forward over back: forward is slower", above(1), forward2 / back2, kCachePaper},
        {"an iteration, method 2 over Fourier transform on the processor", below(1),
         iteration / (kViews * times->fourier_s), kCachePaper, times->whyNoFourier}};
    return report;
}

ExperimentReport runCacheFig4(const ExperimentContext& context) {
    const auto times = context.once<MethodTimes>("cache", [&] { return measure(context); });
    ExperimentReport report;
    report.conditions = conditionsOf(context, *times);
    report.data.columns = {"method", "projection", "seconds"};
    LineChart chart{"1: forward, 2: back", "s per projection", {}};
    for (const Method& method : kMethods) {
        const auto& [forward, back] = times->seconds.at(method.strategy);
        report.data.rows.push_back({std::string(method.name), std::string("forward"), forward});
        report.data.rows.push_back({std::string(method.name), std::string("back"), back});
        chart.lines.push_back({method.name, {1, 2}, {forward, back}});
        report.comparisons.push_back(
            {fmt::format("{}: forward over back", method.name), "", "1.15, 1.44", forward / back, ""});
    }
    report.pictures.push_back({"times.svg", "Both methods, forward and back.", std::move(chart)});
    report.checks = {
        {"method 2 over method 1, both projections", below(1),
         (times->seconds.at("texture-reduce").first + times->seconds.at("texture-reduce").second) /
             (times->seconds.at("shared-list").first + times->seconds.at("shared-list").second),
         "paper 002, Fig. 4"}};
    return report;
}

ExperimentReport runCacheFig5(const ExperimentContext& context) {
    const Lattice lattice = cacheLattice(context);
    const View view{30 * kRadPerDeg, 0};
    const std::vector<VoxelIndex> points = pointsAlongY(lattice, kWellInside_mm);
    context.progress("tables", 0);
    const KernelTables tables = buildKernelTables(KernelSpec::preset("cache"), lattice, view);
    const auto forward = std::make_shared<const Volume>(forwardOfPoints(tables, lattice, points));
    context.progress("projections", 0.5);
    const auto back = std::make_shared<const Volume>(backOfPoints(tables, lattice, points));
    const auto total = [](const Volume& volume) {
        double sum = 0;
        for (const float value : volume.data) {
            sum += static_cast<double>(value);
        }
        return sum;
    };
    const auto row = tables.row(tables.ids[lattice.index(points[1]) % tables.ids.size()]);
    const Vec3 through = lattice.centre(points[1]);
    ExperimentReport report;
    report.conditions =
        fmt::format("Three points, {}, kernel 'cache', view at 30 degrees.", latticeText(lattice));
    report.data = {{"projection", "sum"},
                   {{std::string("forward"), total(*forward)}, {std::string("back"), total(*back)}}};
    report.comparisons = {{"voxels of a kernel, at most", "", "29 x 5 x 3 = 435",
                           static_cast<double>(row.size()),
                           "of the paper's own voxels, whose size it does not say"}};
    report.checks = {
        {"forward: sum of three points", within(3, 3e-4), total(*forward), "docs/model.md, section 2"},
        {"back over forward, largest value: alike but for the width", within(1, 0.2),
         peakOf(*back) / peakOf(*forward), "paper 002, Fig. 5; the kernel widens by 20 % to the edge"}};
    const int zoom = context.pick(1, 3, 3);
    report.pictures.push_back(
        {"slice.png", "The slice of the points: forward, back.",
         SliceMosaic{{{forward, Plane::Transverse, through, upTo(peakOf(*forward)), zoom},
                      {back, Plane::Transverse, through, upTo(peakOf(*forward)), zoom}}}});
    report.images = {{"forward", forward}, {"back", back}};
    return report;
}

}  // namespace tof
