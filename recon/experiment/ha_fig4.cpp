// SPDX-License-Identifier: Apache-2.0
// Paper 000, Fig. 4: time of a projection against the kernel's width and the voxel, on every engine.
#include <fmt/format.h>

#include <array>
#include <map>

#include "recon/experiment/own_data.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/points.h"
#include "recon/kernel/point_response.h"

namespace tof {

namespace {

struct Case {
    double tof_ps;
    double radial_mm;
    double axial_mm;
    double voxel_mm;
};

/// Cases 0..3 are the TOF series, 4..6 the radial one (with 0's 10 mm), 7.. the voxels.
std::vector<Case> casesOf(const ExperimentContext& context) {
    std::vector<Case> cases{{300, 10, 5, 4}, {600, 10, 5, 4}, {900, 10, 5, 4}, {1200, 10, 5, 4},
                            {300, 5, 5, 4},  {300, 15, 5, 4}, {300, 20, 5, 4}};
    for (const double voxel : context.pick(std::vector<double>{4, 2}, {4, 3, 2}, {4, 3.5, 3, 2.5, 2})) {
        cases.push_back({375, 6.5, 6.5, voxel});
    }
    return cases;
}
constexpr std::size_t kFirstVoxel = 7;

/// The image keeps its size while its voxels shrink: an eighth of the field in quick, all of it in full.
Lattice fieldOf(const ExperimentContext& context, double voxel) {
    const std::array<double, 3> field =
        context.pick(std::array{96.0, 96.0, 32.0}, {288.0, 288.0, 96.0}, {576.0, 576.0, 192.0});
    std::array<int, 3> size{};
    for (std::size_t k = 0; k < 3; ++k) {
        size[k] = static_cast<int>(field[k] / voxel + 0.5);
    }
    return Lattice::centred(size, {voxel, voxel, voxel});
}

/// Whose times are to be had, as the figure's legend names them.
constexpr std::array<const char*, 4> kEngines{"cpu", "fftw", "cuda", "cufft"};

using CaseTimes = std::map<std::string, std::vector<double>>;  // by engine, one per case

/// A ratio of two cases of one engine.
double ratio(const CaseTimes& times, const char* engine, std::size_t a, std::size_t b) {
    const auto at = times.find(engine);
    return at != times.end() ? at->second[a] / at->second[b] : kMissing;
}
double over(const CaseTimes& times, const char* one, const char* other, std::size_t at) {
    const auto a = times.find(one);
    const auto b = times.find(other);
    return a != times.end() && b != times.end() ? a->second[at] / b->second[at] : kMissing;
}

/// Takes the times of every engine that is there; of the others `missing` says why not.
CaseTimes timesOf(const ExperimentContext& context, const std::vector<Case>& cases, const Lattice& own,
                  int runs, ExperimentReport& report, std::map<std::string, std::string>& missing) {
    EngineOptions options;
    options.threads = context.threads;
    options.padding.mode = Padding::Mode::Off;
    options.measurePlans = context.size == ExperimentSize::Full;
    CaseTimes times;
    for (std::size_t e = 0; e < kEngines.size(); ++e) {
        const std::string engine = kEngines[e];
        missing[engine] = whyMissing(context, engine);
        if (!missing[engine].empty()) {
            report.notes.push_back(missing[engine]);
            continue;
        }
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const Case& c = cases[i];
            const Lattice lattice = own.voxels() > 1 && i < kFirstVoxel ? own : fieldOf(context, c.voxel_mm);
            const ProjectionInput input{lattice, {nearestVoxel(lattice, {2, 2, 2})}, nullptr};
            const auto checkpoint = [&] {
                context.progress(
                    fmt::format("{}, {:g} ps, {:g} mm", engine, c.tof_ps, c.radial_mm),
                    (static_cast<double>(e) + static_cast<double>(i) / static_cast<double>(cases.size())) /
                        static_cast<double>(kEngines.size()));
            };
            checkpoint();
            KernelSpec kernel;
            kernel.tof_ps = c.tof_ps;
            kernel.radial.form = WidthKnots{{0.0, c.radial_mm}};
            kernel.axial_mm = c.axial_mm;
            ViewProjections projections(context.engines, options);
            const double ms = projectionTime_ms(projections, engine, kernel, input, runs, checkpoint);
            times[engine].push_back(ms);
            report.data.rows.push_back({engine, c.tof_ps, c.radial_mm, c.axial_mm, c.voxel_mm, ms});
        }
    }
    return times;
}

}  // namespace

ExperimentReport runHaFig4(const ExperimentContext& context) {
    constexpr const char* kPaper = "paper 000, section 5.1 and Fig. 4";
    const std::vector<Case> cases = casesOf(context);
    const std::size_t lastVoxel = cases.size() - 1;
    const Lattice own = context.dataFile.empty() ? Lattice() : ownHistoImages(context)->lattice();
    const int runs = context.pick(1, 3, 15);
    ExperimentReport report;
    report.data.columns = {"engine", "tof_ps", "radial_mm", "axial_mm", "voxel_mm", "ms_per_projection"};
    std::map<std::string, std::string> missing;
    const CaseTimes times = timesOf(context, cases, own, runs, report, missing);
    report.conditions =
        fmt::format("{} and smaller voxels in the same field, view at 30 degrees, medians of {} runs.",
                    latticeText(own.voxels() > 1 ? own : fieldOf(context, 4)), runs);
    LineChart tof{"TOF resolution, ps FWHM (radially 10, axially 5 mm)", "ms per projection", {}};
    LineChart radial{"radial resolution, mm FWHM (300 ps, axially 5 mm)", "ms per projection", {}};
    LineChart voxel{"voxel, mm (375 ps, 6.5 mm)", "ms per projection", {}};
    for (const auto& [engine, ms] : times) {
        tof.lines.push_back({engine});
        radial.lines.push_back({engine});
        voxel.lines.push_back({engine});
        for (const std::size_t i : {0U, 1U, 2U, 3U}) {
            tof.lines.back().add(cases[i].tof_ps, ms[i]);
        }
        for (const std::size_t i : {4U, 0U, 5U, 6U}) {
            radial.lines.back().add(cases[i].radial_mm, ms[i]);
        }
        for (std::size_t i = kFirstVoxel; i <= lastVoxel; ++i) {
            voxel.lines.back().add(cases[i].voxel_mm, ms[i]);
        }
        report.comparisons.push_back(
            {engine + ": 2 mm over 4 mm voxels", "",
             engine == "cuda" || engine == "cpu" ? "54.3 (in space)" : "9.4 (Fourier)",
             ms[lastVoxel] / ms[kFirstVoxel], ""});
    }
    report.pictures = {{"tof.svg", "Top left: against the TOF resolution.", tof},
                       {"radial.svg", "Top right: against the radial resolution.", radial},
                       {"voxel.svg", "Bottom: against the voxel.", voxel}};
    report.checks = {
        {"in space, 1200 over 300 ps: a longer kernel takes longer", above(1), ratio(times, "cpu", 3, 0),
         kPaper},
        {"in space, 20 over 5 mm: a wider kernel takes longer", above(1), ratio(times, "cpu", 6, 4), kPaper},
        {"fftw, 1200 over 300 ps: the kernel's size does not matter", within(1, 0.25),
         ratio(times, "fftw", 3, 0), kPaper, "", missing["fftw"]},
        {"2 over 4 mm voxels, in space: up to 64 times the work", atMost(64),
         ratio(times, "cpu", lastVoxel, kFirstVoxel), kPaper},
        {"2 over 4 mm voxels, in space over Fourier transform: space grows faster", above(1),
         ratio(times, "cpu", lastVoxel, kFirstVoxel) / ratio(times, "fftw", lastVoxel, kFirstVoxel), kPaper,
         "", missing["fftw"]},
        {"cuda over fftw at 600 ps: similar or faster", atMost(1), over(times, "cuda", "fftw", 1), kPaper, "",
         missing["cuda"]},
        {"cuda over fftw, 4 mm voxels: about two times faster", atMost(0.5),
         over(times, "cuda", "fftw", kFirstVoxel), kPaper, "", missing["cuda"]},
        {"cuda over cufft, 2 mm voxels: in space slower there", above(1),
         over(times, "cuda", "cufft", lastVoxel), kPaper, "", missing["cufft"]}};
    return report;
}

}  // namespace tof
