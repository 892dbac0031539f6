// SPDX-License-Identifier: Apache-2.0
// Paper 000, section 6, and paper 003: reconstructions, what they recover and how long they take.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/percentile.h"
#include "recon/binning/binning.h"
#include "recon/experiment/experiment.h"
#include "recon/experiment/labr3_scan.h"
#include "recon/experiment/own_data.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/quiet_run.h"
#include "recon/kernel/point_response.h"
#include "recon/metrics/sphere_recovery.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/work/reconstruct.h"
#include "recon/work/sinogram_simulation.h"

namespace tof {

namespace {

/// Simulated spheres in the paper's scanner, binned and corrected.
std::shared_ptr<const HistoData> spheresData(const ExperimentContext& context, double upTo) {
    const Scanner scanner = Scanner::find("labr3-ideal");
    const ThreadPool pool(context.threads);
    const std::uint64_t events = context.pick<std::uint64_t>(40'000, 2'000'000, 430'000'000);
    BinningSettings binning;
    binning.azimuths = context.pick(6, 20, 40);
    binning.tilts = context.pick(1, 3, 3);
    binning.lattice =
        context.pick(Lattice::centred({56, 56, 6}, {8, 8, 16}), Lattice::centred({112, 112, 24}, {4, 4, 4}),
                     Lattice::centred({144, 144, 48}, {4, 4, 4}));
    const Phantom phantom = spheresWithin(binning.lattice);
    const auto part = [&](const char* what, double from, double to) {
        return [&context, what, from, to, upTo](double share) {
            context.progress(what, upTo * (from + share * (to - from)));
        };
    };
    const auto data = std::make_shared<HistoData>([&] {
        const auto simulated = part("simulating", 0, 0.5);
        const EventList list = simulate(
            scanner, phantom, {.events = events, .seed = 1, .duration_s = 60}, pool,
            [&](std::uint64_t made) { simulated(static_cast<double>(made) / static_cast<double>(events)); });
        return depositEvents(list, scanner, binning, pool, part("binning", 0.5, 0.6));
    }());  // a large list and its corrections need not be in memory together
    data->phantom = "spheres";
    const Volume attenuation = phantom.wholeAttenuation(data->lattice, kAttenuationSpacing_mm);
    computeMult(*data, scanner, &attenuation, pool, part("corrections", 0.6, 1));
    return data;
}

/// The iteration whose noise is nearest to a level.
std::size_t nearestNoise(const std::vector<Figures>& figures, double level) {
    const auto nearest =
        std::min_element(figures.begin(), figures.end(), [level](const Figures& a, const Figures& b) {
            return std::abs(a.noise - level) < std::abs(b.noise - level);
        });
    return static_cast<std::size_t>(nearest - figures.begin());
}

/// CRC where a curve passes a noise level, between iterates; that of the nearest end outside the curve.
double crcAt(const std::vector<Figures>& figures, double level) {
    for (std::size_t i = 0; i + 1 < figures.size(); ++i) {
        const double a = figures[i].noise;
        const double b = figures[i + 1].noise;
        if ((a <= level && level <= b) || (b <= level && level <= a)) {
            const double share = b != a ? (level - a) / (b - a) : 0;
            return figures[i].crc + share * (figures[i + 1].crc - figures[i].crc);
        }
    }
    return figures[nearestNoise(figures, level)].crc;
}

struct CurveRun {
    const char* label;
    const char* engine;
    const char* kernel;
    int paperIteration;  ///< at matched noise, Fig. 10
    QuietRun run;
};

/// The paper's noise level where every curve passes it, else the highest that every curve reaches.
double matchedLevel(const std::vector<CurveRun>& runs, double paper) {
    double first = 0;
    double last = std::numeric_limits<double>::infinity();
    for (const CurveRun& run : runs) {
        first = std::max(first, run.run.figures.front().noise);
        last = std::min(last, run.run.figures.back().noise);
    }
    return first <= paper && paper <= last ? paper : last;
}

}  // namespace

ExperimentReport runCrcNoise(const ExperimentContext& context) {
    constexpr double kDataShare = 0.4;
    constexpr double kPaperNoise = 0.08;
    const int iterations = context.pick(2, 8, 26);
    const auto data = spheresData(context, kDataShare);
    const auto measured = std::make_shared<HistoMeasurement>(data);
    const RoiSet rois = autoRois("spheres");
    const int slice = nearestVoxel(data->lattice, {0, 0, 2})[2];
    const char* const engine = context.engine.c_str();
    std::vector<CurveRun> runs{{"Fourier, invariant", "fftw", "invariant", 22, {}},
                               {"space, invariant", engine, "invariant", 22, {}},
                               {"space, variant1", engine, "variant1", 19, {}},
                               {"space, variant2", engine, "variant2", 21, {}},
                               {"space, variant3", engine, "variant3", 26, {}}};
    ExperimentReport report;
    report.data.columns = {"run", "iteration", "crc", "crc_sd", "noise"};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto share = [&](std::size_t n) {
            return kDataShare + (1 - kDataShare) * static_cast<double>(n) / static_cast<double>(runs.size());
        };
        RunSettings settings = settingsOf("ramla", runs[i].engine, iterations);
        settings.set("kernel", runs[i].kernel);
        if (settings.engine == "fftw") {
            // The paper's Fourier kernel is the Gaussian's own transform, not that of its samples: with the
            // latter both runs would agree by construction.
            settings.set("spectrum", "analytic");
        }
        try {
            runs[i].run =
                runQuietly(context, measured, settings, rois, slice, runs[i].label, share(i), share(i + 1));
        } catch (const Unavailable& fault) {
            report.notes.push_back(fmt::format("{}: {}.", runs[i].label, fault.what()));
            continue;
        }
        for (const Figures& f : runs[i].run.figures) {
            report.data.rows.push_back(
                {std::string(runs[i].label), static_cast<double>(f.iteration), f.crc, f.crcSd, f.noise});
        }
    }
    runs.erase(
        std::remove_if(runs.begin(), runs.end(), [](const CurveRun& run) { return run.run.figures.empty(); }),
        runs.end());
    report.conditions = fmt::format(
        "Phantom spheres (10 mm, 6:1, 75 mm from the axis; {:g} mm long) in labr3-ideal, {} of {} events in "
        "{} "
        "views "
        "of {}, RAMLA with lambda 0.03, {} iterations.",
        spheresWithin(data->lattice).shapes.front().size_mm.z, data->kept,
        data->kept + data->outside + data->rejected, data->views.size(), latticeText(data->lattice),
        iterations);
    const double level = matchedLevel(runs, kPaperNoise);
    std::vector<ChartLine> lines;
    std::vector<SlicePicture> pictures;
    double invariant = kMissing;
    for (const CurveRun& run : runs) {
        if (std::string(run.kernel) == "invariant") {  // in space, where that ran: it comes after Fourier
            invariant = crcAt(run.run.figures, level);
        }
    }
    for (const CurveRun& run : runs) {
        lines.push_back({run.label});
        for (const Figures& f : run.run.figures) {
            lines.back().add(100 * f.noise, 100 * f.crc);
        }
        const std::size_t matched = nearestNoise(run.run.figures, level);
        report.comparisons.push_back(
            {fmt::format("{}: iteration at matched noise", run.label), "",
             fmt::format("{} (at 8 % noise)", run.paperIteration),
             static_cast<double>(run.run.figures[matched].iteration),
             fmt::format("at {:.1f} % noise", 100 * run.run.figures[matched].noise)});
        const double crc = crcAt(run.run.figures, level);
        const std::string kernel = run.kernel;
        report.comparisons.push_back({fmt::format("{}: CRC over that of invariant in space", run.label), "",
                                      kernel == "invariant"  ? "1 (both nearly identical)"
                                      : kernel == "variant1" ? "slightly below 1"
                                                             : "above 1, with more overshoot",
                                      crc / invariant,
                                      fmt::format("CRC {:.3f} at {:.1f} % noise", crc, 100 * level)});
        const Volume& picture = run.run.slices[matched];
        // Black is four times the mean inside the cylinder, so that neither noise nor spheres set it.
        double sum = 0;
        double voxels = 0;
        picture.lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 at = picture.lattice.centre(x, y, z);
            if (std::hypot(at.x, at.y) < 150) {
                sum += static_cast<double>(picture.at(x, y, z));
                voxels += 1;
            }
        });
        pictures.push_back({std::make_shared<const Volume>(picture),
                            Plane::Transverse,
                            {0, 0, 0},
                            {0, 4 * sum / voxels, Palette::InverseGrey},
                            context.pick(1, 2, 2)});
    }
    report.pictures = {
        {"curves.svg", "Contrast recovery against noise, one point per iteration.",
         LineChart{"noise, % of the mean in a 50 mm circle", "CRC, %", lines}},
        {"matched.png",
         fmt::format("The slice of the spheres at {:.1f} % noise, in the order of the table.", 100 * level),
         SliceMosaic{pictures}}};
    report.notes.emplace_back(
        "Each sphere is seen by a variant kernel at many |s|: the paper's reason why variant1, matched at 75 "
        "mm, recovers slightly less than invariant.");
    return report;
}

namespace {

/// Histo-images of ones: times do not depend on what is counted.
std::shared_ptr<const Measurement> uniformData(const ExperimentContext& context) {
    auto data = std::make_shared<HistoData>();
    data->lattice =
        context.pick(Lattice::centred({36, 36, 6}, {16, 16, 16}), Lattice::centred({144, 144, 48}, {4, 4, 4}),
                     Lattice::centred({144, 144, 48}, {4, 4, 4}));
    data->views = ViewGrid(context.pick(4, 10, 40), 3, 10 * kRadPerDeg).views();
    data->counts.assign(data->views.size() * data->voxels(), 1.0F);
    data->hash = "uniform";
    return std::make_shared<HistoMeasurement>(data);
}

}  // namespace

ExperimentReport runStages(const ExperimentContext& context) {
    return stageTimes(context, StageRows::All);
}

KernelSpec variant3ToEdge() {
    constexpr double kEdge_mm = 288;
    constexpr double kStep_mm = 12;
    KernelSpec kernel = KernelSpec::preset("variant3");
    WidthKnots knots;
    for (double s = 0; s <= kEdge_mm; s += kStep_mm) {
        knots.emplace_back(s, kernel.radial.at(s));
    }
    kernel.radial.form = std::move(knots);
    return kernel;
}

ExperimentReport stageTimes(const ExperimentContext& context, StageRows which) {
    const int iterations = context.pick(1, 2, 20);
    const auto measured = context.dataFile.empty() ? uniformData(context) : ownHistoImages(context);
    const std::vector<std::size_t> counts = measured->viewCounts();
    const double views = static_cast<double>(
        std::accumulate(counts.begin(), counts.end(), std::size_t{1}, std::multiplies<>()));
    struct Row {
        const char* engine;
        const char* kernel;
        const char* perIteration;  ///< Table III
        /// Table IV, seconds of 20 iterations, in the order of its columns; empty: not in that table.
        std::vector<const char*> tableIV;
    };
    /// A column of Table IV: our stage, and the paper's share of it where ours is one for two of its columns.
    struct Column {
        const char* name;
        std::optional<Stage> stage;
        const char* remark;
    };
    constexpr const char* kOnce = "ours goes up once, before the iterations";
    constexpr const char* kResident = "ours stays on the device between projections";
    const std::vector<Column> columns{{"H2D before forward", Stage::Upload, kOnce},
                                      {"forward", Stage::Forward, ""},
                                      {"D2H after forward", std::nullopt, kResident},
                                      {"discrepancy", Stage::Discrepancy, "ours where the projection runs"},
                                      {"H2D before back", std::nullopt, kResident},
                                      {"back", Stage::Back, ""},
                                      {"D2H after back", Stage::Download, "ours is the iterate's copy"},
                                      {"update", Stage::Update, "ours where the projection runs"}};
    const char* const engine = context.engine.c_str();
    std::vector<Row> rows{{"fftw", "invariant", "21.48", {}},
                          {engine,
                           "invariant",
                           "15.63",
                           {"7.53", "105.27", "2.85", "0.32", "7.59", "103.18", "2.85", "12.59", "311.97"}},
                          {engine,
                           "variant1",
                           "22.43",
                           {"7.55", "172.88", "2.86", "0.32", "7.59", "169.81", "2.85", "12.58", "446.21"}},
                          {engine, "variant2", "25.66", {}},
                          {engine, "variant3", "24.68", {}},
                          {engine, kVariant3ToEdge, "", {}}};
    if (which == StageRows::TableIV) {
        rows.erase(
            std::remove_if(rows.begin(), rows.end(), [](const Row& row) { return row.tableIV.empty(); }),
            rows.end());
    }
    ExperimentReport report;
    report.conditions = fmt::format(
        "{}, {} views, RAMLA, seconds scaled to 120 views; {} iterations, the first left out where there are "
        "more. The paper: GTX 285, and FFTW on a 2.66 GHz Xeon.",
        latticeText(measured->lattice()), views, iterations);
    report.data.columns = {"engine", "kernel", "seconds_per_iteration", "tables_s"};
    for (std::size_t s = 0; s < kStages; ++s) {
        report.data.columns.push_back(fmt::format("{}_s", stageName(static_cast<Stage>(s))));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        RunSettings settings = settingsOf("ramla", rows[i].engine, iterations);
        settings.set("kernel", rows[i].kernel == std::string(kVariant3ToEdge) ? variant3ToEdge().toJson()
                                                                              : std::string(rows[i].kernel));
        const std::string what = fmt::format("{}, {}", rows[i].engine, rows[i].kernel);
        QuietRun run;
        try {
            run = runQuietly(context, measured, settings, std::nullopt, -1, what,
                             static_cast<double>(i) / static_cast<double>(rows.size()),
                             static_cast<double>(i + 1) / static_cast<double>(rows.size()));
        } catch (const Unavailable& fault) {
            report.notes.push_back(fmt::format("{}: {}.", what, fault.what()));
            continue;
        }
        const std::size_t first = run.seconds.size() > 1 ? 1 : 0;
        const double scale = 120 / views / static_cast<double>(run.seconds.size() - first);
        double seconds = 0;
        std::vector<double> stages(kStages, 0);
        for (std::size_t n = first; n < run.seconds.size(); ++n) {
            seconds += scale * run.seconds[n];
            for (std::size_t s = 0; s < kStages && s < run.stages_s[n].size(); ++s) {
                stages[s] += scale * run.stages_s[n][s];
            }
        }
        report.data.rows.push_back(
            {std::string(run.engine), std::string(rows[i].kernel), seconds, 120 / views * run.tables_s});
        for (const double stage : stages) {
            report.data.rows.back().emplace_back(stage);
        }
        report.comparisons.push_back({what + ": one iteration", "s", rows[i].perIteration, seconds, ""});
        if (!rows[i].tableIV.empty()) {
            for (std::size_t c = 0; c < columns.size(); ++c) {
                const auto& stage = columns[c].stage;
                const double ours = stage ? 20 * stages[static_cast<std::size_t>(*stage)] : 0.0;
                report.comparisons.push_back({fmt::format("{}: {}, 20 iterations", what, columns[c].name),
                                              "s", rows[i].tableIV[c], ours, columns[c].remark});
            }
            report.comparisons.push_back(
                {what + ": total, 20 iterations", "s", rows[i].tableIV.back(), 20 * seconds, ""});
        }
    }
    return report;
}

ExperimentReport runRingMlem(const ExperimentContext& context) {
    MichelogramSpec scanner = MichelogramSpec::find("ge-ste");
    Lattice lattice = Lattice::centred({256, 256, 47}, {700.0 / 256, 700.0 / 256, 3.27});
    double counts = 1e8;
    if (context.size != ExperimentSize::Full) {
        const int whole = scanner.scanner.rings;
        scanner.scanner.rings = context.pick(2, 3, 0);
        if (context.size == ExperimentSize::Tiny) {
            scanner.scanner.crystalsPerRing = 112;
            scanner.radialBins = 65;
        }
        scanner.segments = segmentsOfGe(scanner.scanner.rings);
        const int across = context.pick(48, 128, 0);
        lattice = Lattice::centred({across, across, 2 * scanner.scanner.rings - 1},
                                   {700.0 / across, 700.0 / across, 3.27});
        // As many counts per ring pair as in the whole scanner.
        counts *= std::pow(static_cast<double>(scanner.scanner.rings) / whole, 2);
    }
    const int iterations = context.pick(3, 12, 40);
    const Phantom phantom = Phantom::find("uniform-cylinder");
    const auto data = std::make_shared<SinogramData>(
        simulateSinograms({scanner, lattice, counts, 1, false}, phantom, ThreadPool(context.threads),
                          [&](double share) { context.progress("simulating", 0.2 * share); }));
    const int slice = lattice.size[2] / 2;
    const QuietRun run = runQuietly(context, std::make_shared<SinogramMeasurement>(data),
                                    settingsOf("mlem", context.engine, iterations),
                                    recoveryRois(phantom, SphereCircle::OfDiameter), slice, "MLEM", 0.2, 1);
    ExperimentReport report;
    report.conditions = fmt::format(
        "Uniform cylinder, {} rings of {}, {} counts, {} x {} x {} voxels, {} "
        "iterations of MLEM by {}.",
        scanner.scanner.rings, scanner.scanner.name, data->kept, lattice.size[0], lattice.size[1],
        lattice.size[2], iterations, run.engine);
    report.data.columns = {"iteration", "nsr", "mean", "seconds"};
    ChartLine line{"NSR"};
    for (std::size_t i = 0; i < run.figures.size(); ++i) {
        const Figures& f = run.figures[i];
        report.data.rows.push_back(
            {static_cast<double>(f.iteration), f.nsr, f.rois.front().statistics.mean, run.seconds[i]});
        line.add(f.iteration, 100 * f.nsr);
    }
    const double usual_s = median(run.seconds);
    report.comparisons = {
        {"noise to signal in a circle of 25 mm radius", "%", "4.9 (CPU, 40 iterations)",
         100 * run.figures.back().nsr, "counts, attenuation and start differ"},
        {"one iteration", "s", "309.3 to 435.1 (Core i7 860 and Phenom, 256 x 256 x 47, whole scanner)",
         usual_s, context.size == ExperimentSize::Full ? "" : "of the smaller scanner and image"}};
    const Volume& last = run.slices.back();
    const double mean = run.figures.back().rois.front().statistics.mean;
    report.pictures = {
        {"slice.png", "The central slice after the last iteration; black is twice the mean.",
         SliceMosaic{{{std::make_shared<const Volume>(last),
                       Plane::Transverse,
                       {0, 0, 0},
                       {0, 2 * mean, Palette::InverseGrey},
                       context.pick(1, 3, 2)}}}},
        {"nsr.svg", "Noise to signal against the iteration.", LineChart{"iteration", "NSR, %", {line}}}};
    return report;
}

}  // namespace tof
