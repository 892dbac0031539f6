// SPDX-License-Identifier: Apache-2.0
// Parts of `beyond` about what a reconstruction takes and gives: kernels measured from points, and bands of
// confidence.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/view.h"
#include "recon/binning/analytic.h"
#include "recon/binning/binning.h"
#include "recon/binning/point_sources.h"
#include "recon/experiment/beyond_parts.h"
#include "recon/experiment/labr3_scan.h"
#include "recon/experiment/quiet_run.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/poisson.h"
#include "recon/systems/histo/histo_measurement.h"

namespace tof {

namespace {

constexpr std::uint64_t kPointsSeed = 1;

/// Expected data of the spheres in a scanner whose lines are hardly tilted, without noise: blurred as its own
/// crystals blur, which is what points measure.
HistoData expectedSpheres(const ExperimentContext& context, const Lattice& lattice, int azimuths,
                          double counts, double share) {
    AnalyticSettings how;
    how.lattice = lattice;
    how.azimuths = azimuths;
    how.tilts = 1;
    how.counts = counts;
    how.noiseFree = true;
    Scanner scanner = Scanner::find("labr3-ideal");
    scanner.acceptance_rad = 2 * kRadPerDeg;
    const Phantom phantom = spheresWithin(lattice);
    const ThreadPool pool(context.threads);
    const Volume attenuation = phantom.wholeAttenuation(lattice, kAttenuationSpacing_mm);
    HistoData data = analyticData(scanner, phantom, how, &attenuation, pool,
                                  [&](double done) { context.progress("expected data", share * done); });
    data.phantom = "spheres";
    return data;
}

std::shared_ptr<const Measurement> measurementOfCopy(HistoData data) {
    data.hash.clear();
    return std::make_shared<HistoMeasurement>(std::make_shared<const HistoData>(std::move(data)));
}

struct Spread {
    double mean = 0;
    double sd = 0;
};

Spread spreadOf(const std::vector<double>& values) {
    Spread found;
    for (const double value : values) {
        found.mean += value / static_cast<double>(values.size());
    }
    for (const double value : values) {
        found.sd += std::pow(value - found.mean, 2) / static_cast<double>(values.size() - 1);
    }
    found.sd = std::sqrt(found.sd);
    return found;
}

}  // namespace

void addMeasuredKernel(ExperimentReport& report, const ExperimentContext& context) {
    const ThreadPool pool(context.threads);
    Scanner scanner = Scanner::find("labr3-ideal");
    scanner.acceptance_rad = 2 * kRadPerDeg;  // as the data have it
    const Phantom points = Phantom::find("points");
    const auto count = context.pick<std::uint64_t>(60'000, 400'000, 20'000'000);
    const EventList list =
        simulate(scanner, points, {.events = count, .seed = kPointsSeed}, pool, [&](std::uint64_t made) {
            context.progress("points", 0.2 * static_cast<double>(made) / static_cast<double>(count));
        });
    const int azimuths = context.pick(8, 20, 40);
    PointMeasureSettings how;
    how.fit = RadialFit::Variant;
    how.leastEvents = context.pick(100.0, 1000.0, 1000.0);
    how.tofWindow_mm = 1.7 * kMmPerPs * scanner.timing_fwhm_ps;
    const KernelMeasurement measured =
        measuredKernel(collectOffsets(list, scanner, pointSources(points, "points"), how, pool,
                                      [&](double share) { context.progress("offsets", 0.2 + 0.1 * share); }));
    const ExperimentContext rest = within(context, 0.3, 1);
    const Lattice lattice =
        context.pick(Lattice::centred({48, 48, 4}, {8, 8, 8}), Lattice::centred({96, 96, 8}, {4, 4, 4}),
                     Lattice::centred({144, 144, 16}, {4, 4, 4}));
    const auto data = measurementOfCopy(expectedSpheres(rest, lattice, azimuths, 1e8, 0.3));
    const RoiSet rois = autoRois("spheres");
    const char* const part = "measured kernel";
    addNumber(report, part, "radial FWHM at the centre", measured.kernel.radial.at(0), "mm", "labr3-ideal");
    addNumber(report, part, "radial FWHM at 250 mm", measured.kernel.radial.at(250), "mm");
    Figures figures[2];
    ChartLine lines[2] = {{"measured from points"}, {"modelled: invariant, 5.8 mm"}};
    for (const int modelled : {0, 1}) {
        RunSettings settings = settingsOf("ramla", context.engine, context.pick(2, 12, 24));
        settings.relaxation = 0.15;
        settings.set("kernel", modelled == 1 ? std::string("invariant")
                                             : withVoxels(measured.kernel, lattice).toJson());
        const QuietRun run = runQuietly(rest, data, settings, rois, -1, lines[modelled].name,
                                        0.3 + 0.35 * modelled, 0.65 + 0.35 * modelled);
        for (const Figures& f : run.figures) {
            lines[modelled].add(f.iteration, 100 * f.crc / f.trueCrc);
        }
        figures[modelled] = run.figures.back();
        addNumber(report, part, fmt::format("CRC over the truth's, {}", lines[modelled].name),
                  figures[modelled].crc / figures[modelled].trueCrc);
        addNumber(report, part, fmt::format("overshoot, {}", lines[modelled].name),
                  figures[modelled].overshoot);
        report.images.push_back({lines[modelled].name, run.image});
    }
    const auto off = [&](int i) { return std::abs(figures[i].crc / figures[i].trueCrc - 1); };
    report.seeds.push_back(kPointsSeed);
    report.pictures.push_back({"measured.svg",
                               "Contrast recovery with a measured and with a wider modelled kernel.",
                               LineChart{"iteration", "CRC, % of the truth's", {lines[0], lines[1]}}});
    report.checks.push_back(
        {"measured kernel: CRC off the truth's, less that of a modelled one twice as wide", below(0),
         off(0) - off(1), "data blurred by the scanner's own crystals",
         fmt::format("{:.3f} and {:.3f}", off(0), off(1))});
    report.checks.push_back({"measured kernel: overshoot less that of the modelled one", below(0),
                             figures[0].overshoot - figures[1].overshoot,
                             "a kernel that is too wide makes edges ring"});
}

void addBands(ExperimentReport& report, const ExperimentContext& context) {
    const ThreadPool pool(context.threads);
    const int scans = context.pick(4, 100, 100);  // an SD of 24 is known to 15 % only
    const int iterations = context.pick(1, 4, 8);
    const HistoData expected = expectedSpheres(
        context,
        context.pick(Lattice::centred({28, 28, 2}, {12, 12, 12}), Lattice::centred({56, 56, 6}, {6, 6, 6}),
                     Lattice::centred({56, 56, 6}, {6, 6, 6})),
        context.pick(2, 10, 10), 2e6, 0.1);
    const RoiSet rois = autoRois("spheres");
    RunSettings settings = settingsOf("ramla", context.engine, iterations);
    settings.relaxation = 0.15;
    settings.set("kernel", "invariant");
    int done = 0;
    const auto reconstructed = [&](const std::vector<float>& means, std::uint64_t seed) {
        HistoData scan = expected;
        scan.counts = poissonCounts(means, 1, seed, pool);
        const double at = 0.1 + 0.9 * done++ / (2.0 * scans);
        std::vector<float> counts = scan.counts;
        const QuietRun run = runQuietly(context, measurementOfCopy(std::move(scan)), settings, rois, -1,
                                        "bands of confidence", at, at);
        return std::pair(run.figures, std::move(counts));
    };
    std::vector<std::vector<Figures>> again;  // scans made again
    std::vector<std::vector<Figures>> drawn;  // the first one, drawn anew
    again.reserve(static_cast<std::size_t>(scans));
    drawn.reserve(static_cast<std::size_t>(scans));
    std::vector<float> first;
    for (int i = 0; i < scans; ++i) {
        auto [figures, counts] = reconstructed(expected.counts, 100 + static_cast<std::uint64_t>(i));
        again.push_back(std::move(figures));
        if (i == 0) {
            first = std::move(counts);
        }
    }
    for (int i = 0; i < scans; ++i) {
        drawn.push_back(reconstructed(first, 10'000 + static_cast<std::uint64_t>(i)).first);
    }
    const auto at = [](const std::vector<std::vector<Figures>>& all, std::size_t iteration) {
        std::vector<double> values;
        std::transform(all.begin(), all.end(), std::back_inserter(values),
                       [iteration](const std::vector<Figures>& f) { return f[iteration].crc; });
        return spreadOf(values);
    };
    ChartLine lines[5] = {{"one scan"},
                          {"its band, - 2 SD"},
                          {"its band, + 2 SD"},
                          {"all scans, - 2 SD"},
                          {"all scans, + 2 SD"}};
    for (std::size_t i = 0; i < again.front().size(); ++i) {
        const double iteration = again.front()[i].iteration;
        const double crc = again.front()[i].crc;
        const Spread of = at(drawn, i);
        const Spread all = at(again, i);
        lines[0].add(iteration, 100 * crc);
        lines[1].add(iteration, 100 * (crc - 2 * of.sd));
        lines[2].add(iteration, 100 * (crc + 2 * of.sd));
        lines[3].add(iteration, 100 * (all.mean - 2 * all.sd));
        lines[4].add(iteration, 100 * (all.mean + 2 * all.sd));
    }
    const Spread band = at(drawn, again.front().size() - 1);
    const Spread truth = at(again, again.front().size() - 1);
    // Scans whose CRC lies in the band of the first one, moved to the mean of all: one scan knows how wide it
    // is, not where.
    const auto inside = std::count_if(again.begin(), again.end(), [&](const std::vector<Figures>& f) {
        return std::abs(f.back().crc - truth.mean) < 2 * band.sd;
    });
    const char* const part = "bands of confidence";
    addNumber(report, part, "SD of CRC, one scan drawn anew", band.sd);
    addNumber(report, part, "SD of CRC, scans made again", truth.sd);
    addNumber(report, part, "scans within 2 SD", 100.0 * static_cast<double>(inside) / scans, "%",
              "95 % expected");
    report.seeds.push_back(100);
    report.pictures.push_back({"bands.svg", "Bands of one scan's draws and of all scans.",
                               LineChart{"iteration", "CRC, %", {std::begin(lines), std::end(lines)}}});
    // Each SD is known to 1/sqrt(2 (n - 1)) of itself, their ratio to sqrt(2) times that.
    report.checks.push_back(
        {"bands of confidence: SD of one scan's draws over that of scans made again",
         within(1, 3 / std::sqrt(static_cast<double>(scans - 1))), band.sd / truth.sd,
         "bootstrap; 3 SD of the ratio",
         "draws add noise to counts that have it, some ten in a bin, and what is not linear makes more "
         "of it; with ten times the counts the ratio is 1.01 with an SD of 0.03"});
}

}  // namespace tof
