// SPDX-License-Identifier: Apache-2.0
// Parts of `beyond` about data: their forms, their voxels, a long scanner.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/json_text.h"
#include "recon/binning/analytic.h"
#include "recon/binning/line_binning.h"
#include "recon/experiment/beyond_parts.h"
#include "recon/experiment/quiet_run.h"
#include "recon/forms/histo/histo_images.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"

namespace tof {

namespace {

constexpr std::uint64_t kScanSeed = 1;
constexpr double kFwhmPerSd = 2.354820045;

/// Tells nobody but asks the context whether to go on.
class Asking : public WorkProgress {
  public:
    explicit Asking(const ExperimentContext& context, double done) : context_(context), done_(done) {}
    void stage(const std::string& name) override {
        stage_ = name;
        report(0);
    }
    void report(double /*share*/) override { context_.progress(stage_, done_); }
    void note(Remark /*about*/, const std::string& /*sentence*/) override {}

  private:
    const ExperimentContext& context_;
    double done_;
    std::string stage_ = "data";
};

/// 16 modules of 8 x `rows` crystals of 10 mm, 420 mm from face to face.
Scanner scannerOf(const char* name, int rows, double acceptance_deg) {
    const nlohmann::json text = {
        {"name", name},
        {"modules",
         {{"count", 16}, {"face_to_face_mm", 420}, {"crystals", {8, rows}}, {"pitch_mm", {10, 10}}}},
        {"crystal_mm", {9.6, 9.6, 20}},
        {"attenuation_per_mm", 0.047},
        {"acceptance_deg", acceptance_deg},
        {"fov_diameter_mm", 320},
        {"timing_fwhm_ps", 400}};
    return Scanner::fromJson(jsonText(text), "beyond");
}

/// Few enough crystals for every pair to be a bin.
Scanner coarseScanner() {
    return scannerOf("coarse", 12, 7);
}

/// Eight times as many rows: 0.96 m long, nearly every slope.
Scanner longScanner() {
    return scannerOf("long", 96, 57);
}

/// Its rings: the eight crystals of a module, and one place for the gap beside it.
std::shared_ptr<const Michelogram> ringsOfCoarse() {
    MichelogramSpec spec;
    spec.scanner = {"coarse", 12, 128, 219, 10.0, 0.02};
    spec.segments = segmentsOfSpan(12, 1, 11);
    spec.radialBins = 65;
    return std::make_shared<const Michelogram>(std::move(spec));
}

constexpr double kRadius_mm = 80;
constexpr double kLength_mm = 96;

Phantom cylinderInAir(double radius_mm, double length_mm) {
    return Phantom::fromJson(
        fmt::format(
            R"({{"name":"air","shapes":[{{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":{},"length_mm":{},"activity":1}}]}})",
            radius_mm, length_mm),
        "beyond");
}

/// The kernel of a scanner's own crystals.
KernelSpec kernelOf(const Scanner& scanner, const Lattice& lattice) {
    const LineResponse response = responseOf(scanner);
    KernelSpec kernel;
    kernel.tof_ps = kFwhmPerSd * response.along / kMmPerPs;
    kernel.axial_mm = kFwhmPerSd * response.axial;
    kernel.radial.form = WidthKnots{{0.0, kFwhmPerSd * response.radial(0)},
                                    {kRadius_mm, kFwhmPerSd * response.radial(kRadius_mm)}};
    return withVoxels(kernel, lattice);
}

double density(double decays, const Lattice& lattice) {
    return decays / (kPi * kRadius_mm * kRadius_mm * kLength_mm) * lattice.spacing_mm[0] *
           lattice.spacing_mm[1] * lattice.spacing_mm[2];
}

constexpr double kStretch_mm = 200;

/// Means of the slices of a uniform cylinder over that of all within `reach_mm` of the middle.
struct Slices {
    Slices(const Volume& image, double reach_mm) {
        const Lattice& lattice = image.lattice;
        for (int z = 0; z < lattice.size[2]; ++z) {
            double sum = 0;
            double voxels = 0;
            for (int y = 0; y < lattice.size[1]; ++y) {
                for (int x = 0; x < lattice.size[0]; ++x) {
                    const Vec3 at = lattice.centre(x, y, z);
                    if (std::hypot(at.x, at.y) < kRadius_mm - 14) {
                        sum += static_cast<double>(image.at(x, y, z));
                        voxels += 1;
                    }
                }
            }
            shares.push_back(sum / voxels);
        }
        const auto inside = [&](int z) { return std::abs(lattice.centre(0, 0, z).z) < reach_mm; };
        double inner = 0;
        int within = 0;
        for (int z = 0; z < lattice.size[2]; ++z) {
            inner += inside(z) ? shares[static_cast<std::size_t>(z)] : 0;
            within += inside(z) ? 1 : 0;
        }
        inner /= within;
        double steps = 0;                                    // squares of those from slice to slice
        std::map<double, std::pair<double, int>> stretches;  // sums and slices, by place
        for (int z = 0; z < lattice.size[2]; ++z) {
            double& share = shares[static_cast<std::size_t>(z)];
            share /= inner;
            if (inside(z)) {
                worst = std::max(worst, std::abs(share - 1));
                steps += std::pow(share - shares[static_cast<std::size_t>(z) - 1], 2);
                auto& [sum, slices] = stretches[std::floor(lattice.centre(0, 0, z).z / kStretch_mm)];
                sum += share;
                ++slices;
            }
        }
        sd = std::sqrt(steps / (2 * within));
        for (const auto& [place, stretch] : stretches) {
            lowest = std::min(lowest, stretch.first / stretch.second);
            highest = std::max(highest, stretch.first / stretch.second);
        }
    }
    std::vector<double> shares;  ///< by z
    double worst = 0;            ///< largest deviation from one
    double sd = 0;               ///< SD of a slice, by the steps to its neighbours
    double lowest = std::numeric_limits<double>::infinity();  ///< lowest of means of kStretch_mm
    double highest = 0;
};

/// Events by Monte Carlo, which takes the first `share` of the context's progress.
EventList eventsBy(const ExperimentContext& context, const char* what, double share, const Scanner& scanner,
                   const Phantom& phantom, std::uint64_t count, SimulationReport* report = nullptr) {
    const auto progress = [&](std::uint64_t made) {
        context.progress(what, share * static_cast<double>(made) / static_cast<double>(count));
    };
    return simulate(scanner, phantom, {.events = count, .seed = kScanSeed}, ThreadPool(context.threads),
                    progress, report);
}

/// A list as histo-images without attenuation, where `done` of the context's progress is reached.
std::shared_ptr<const Measurement> binned(const ExperimentContext& context, const EventList& list,
                                          const Scanner& scanner, BinRequest binning, double done) {
    binning.mu = "none";
    Asking progress(context, done);
    return std::make_shared<HistoMeasurement>(std::make_shared<const HistoData>(
        binHistoImages(list, scanner, binning, ThreadPool(context.threads), progress)));
}

SlicePicture pictureOf(const ExperimentContext& context, const QuietRun& run, double top) {
    return {run.image, Plane::Transverse, {0, 0, 0}, {0, top, Palette::InverseGrey}, context.pick(1, 4, 4)};
}

}  // namespace

void addThreeWays(ExperimentReport& report, const ExperimentContext& context) {
    const ThreadPool pool(context.threads);
    const Scanner scanner = coarseScanner();
    const auto count = context.pick<std::uint64_t>(5'000, 200'000, 4'000'000);
    SimulationReport simulated;
    const EventList list =
        eventsBy(context, "one list", 0.2, scanner, cylinderInAir(kRadius_mm, kLength_mm), count, &simulated);
    const Lattice lattice = Lattice::centred({40, 40, 14}, {6, 6, 8});
    BinRequest binning;
    binning.azimuths = 32;
    binning.lattice = lattice;
    const auto views = binned(context, list, scanner, binning, 0.2);
    const std::shared_ptr<const Measurement> lines =
        std::make_shared<LineMeasurement>(listLines(list, scanner, {}, lattice));
    SinogramData bins = binEvents(list, &scanner, ringsOfCoarse(), lattice);
    weighPairs(bins, scanner, pool);
    const std::shared_ptr<const Measurement> sinograms =
        std::make_shared<SinogramMeasurement>(std::move(bins));
    RunSettings settings = settingsOf("osem", context.engine, context.pick(1, 4, 4));
    settings.subsets = 4;
    RunSettings blurred = settings;
    blurred.set("kernel", kernelOf(scanner, lattice).toJson());
    const struct {
        const char* name;
        const std::shared_ptr<const Measurement>& data;
        const RunSettings& settings;
    } ways[] = {
        {"histo-images", views, blurred}, {"lines", lines, settings}, {"sinograms", sinograms, settings}};
    const double truth = density(simulated.decays(), lattice);
    std::vector<SlicePicture> row;
    double at = 0.3;
    for (const auto& way : ways) {
        const QuietRun run =
            runQuietly(context, way.data, way.settings, std::nullopt, -1, way.name, at, at + 0.2);
        at += 0.2;
        const double mean = meanInside(*run.image, kRadius_mm - 14, 40);
        addNumber(report, "one list, three forms", fmt::format("mean inside, {}, over the truth", way.name),
                  mean / truth);
        // 2 % for reference points of 20 mm deep crystals in a ring of 420 mm, 3 % for pairs counted in
        // views.
        report.checks.push_back({fmt::format("{} of one list: mean inside over the true activity", way.name),
                                 within(1, 0.05), mean / truth, "what was simulated", way.data->units()});
        row.push_back(pictureOf(context, run, 2 * truth));
        report.images.push_back({std::string("one list as ") + way.name, run.image});
    }
    report.seeds.push_back(kScanSeed);
    report.pictures.push_back(
        {"forms.png", "One list as histo-images, as lines and as sinograms; black is twice the truth.",
         SliceMosaic{std::move(row)}});
}

void addFineVoxels(ExperimentReport& report, const ExperimentContext& context) {
    const Scanner scanner = Scanner::find("labr3-ideal");
    const auto count = context.pick<std::uint64_t>(5'000, 400'000, 20'000'000);
    const Phantom phantom =
        context.size == ExperimentSize::Full ? Phantom::find("uniform-cylinder") : cylinderInAir(40, 60);
    const EventList list = eventsBy(context, "events for voxels of 2 mm", 0.3, scanner, phantom, count);
    const auto latticeOf = [&](double voxel) {
        const std::array<double, 3> field =
            context.pick(std::array{96.0, 96.0, 16.0}, {120.0, 120.0, 32.0}, {576.0, 576.0, 192.0});
        std::array<int, 3> size{};
        std::transform(field.begin(), field.end(), size.begin(),
                       [&](double length) { return static_cast<int>(std::lround(length / voxel)); });
        return Lattice::centred(size, {voxel, voxel, voxel});
    };
    double mean[2] = {0, 0};
    double seconds[2] = {0, 0};
    for (const int fine : {0, 1}) {
        const double voxel = fine == 1 ? 2 : 4;
        BinRequest binning;
        binning.azimuths = context.pick(6, 40, 40);
        binning.lattice = latticeOf(voxel);
        const auto data = binned(context, list, scanner, binning, 0.3 + 0.3 * fine);
        RunSettings settings = settingsOf("osem", context.engine, 2);
        settings.subsets = context.pick(2, 20, 20);
        settings.set("kernel", "variant1");
        const QuietRun run =
            runQuietly(context, data, settings, std::nullopt, -1, fmt::format("voxels of {:g} mm", voxel),
                       0.4 + 0.3 * fine, 0.7 + 0.3 * fine);
        mean[fine] = meanInside(*run.image, 30, context.pick(6, 12, 60)) / std::pow(voxel, 3);
        seconds[fine] = run.seconds.back();
        report.images.push_back({fmt::format("voxels of {:g} mm", voxel), run.image});
    }
    const char* const part = "voxels of 2 mm, 120 views";
    addNumber(report, part, "s of an iteration", seconds[1], "s",
              fmt::format("{}; {:.4g} s with 4 mm", latticeText(latticeOf(2)), seconds[0]));
    addNumber(report, part, "mean over that of 4 mm", mean[1] / mean[0]);
    report.checks.push_back({"voxels of 2 mm over 4 mm: activity inside, the same events", within(1, 0.02),
                             mean[1] / mean[0], "one list"});
    report.checks.push_back(
        {"voxels of 2 mm over 4 mm: time of an iteration, eight times the voxels "
         "and eight times the kernel",
         atMost(64), seconds[1] / seconds[0], "8 x 8"});
}

void addLongAxial(ExperimentReport& report, const ExperimentContext& context) {
    const bool full = context.size == ExperimentSize::Full;
    Scanner scanner = full ? Scanner::find("long-axial") : longScanner();
    scanner.detection.reset();  // geometry alone: every photon that interacts is recorded
    const double half_mm = full ? 900 : 440;
    const auto count = context.pick<std::uint64_t>(2'000, 150'000, 20'000'000);
    SimulationReport simulated;
    const EventList list = eventsBy(context, "long axial field", 0.4, scanner,
                                    cylinderInAir(kRadius_mm, 2 * half_mm), count, &simulated);
    BinRequest binning;
    binning.azimuths = context.pick(4, 8, 40);
    binning.tilts = context.pick(3, 9, 27);
    binning.lattice =
        context.pick(Lattice::centred({20, 20, 20}, {16, 16, 48}), Lattice::centred({30, 30, 60}, {8, 8, 16}),
                     Lattice::centred({80, 80, 480}, {4, 4, 4}));
    const auto data = binned(context, list, scanner, binning, 0.4);
    RunSettings settings = settingsOf("osem", context.engine, context.pick(1, 3, 3));
    settings.subsets = context.pick(2, 4, 20);
    settings.set("kernel", kernelOf(scanner, *binning.lattice).toJson());
    const QuietRun run =
        runQuietly(context, data, settings, std::nullopt, -1, "long axial field", 0.5, 0.7, {1});
    const Lattice& lattice = run.image->lattice;
    const double reach_mm = half_mm - 100;
    const Slices slices(*run.image, reach_mm);
    ChartLine profile{"mean of a slice over that of all"};
    for (int z = 0; z < lattice.size[2]; ++z) {
        profile.add(lattice.centre(0, 0, z).z, slices.shares[static_cast<std::size_t>(z)]);
    }
    // Why slices vary: how they do after the first iteration, and where every update has all counts.
    const Slices early(*run.iterates.at(1), reach_mm);
    RunSettings whole = settingsOf("mlem", context.engine, context.pick(1, 12, 12));
    whole.set("kernel", kernelOf(scanner, lattice).toJson());
    const QuietRun wholeRun =
        runQuietly(context, data, whole, std::nullopt, -1, "long axial field, MLEM", 0.7, 1);
    const Slices ofWhole(*wholeRun.image, reach_mm);
    const double perSlice = static_cast<double>(count) * lattice.spacing_mm[2] / (2 * half_mm);
    const double total = std::accumulate(run.image->data.begin(), run.image->data.end(), 0.0);
    addNumber(report, "long axial field", "image's total over decays", total / simulated.decays());
    addNumber(report, "long axial field", "s of an iteration", run.seconds.back(), "s",
              fmt::format("{}, {} x {} views", latticeText(lattice), binning.azimuths, binning.tilts));
    report.pictures.push_back({"long-axial.svg",
                               "A uniform cylinder nearly as long as its scanner: slices along the axis.",
                               LineChart{"z, mm", "mean of a slice over that of all", {std::move(profile)}}});
    report.images.push_back({"long axial field", run.image});
    // Slices have their counts' noise, which pairs of all tilts share out unevenly: sensitivity falls to the
    // ends.
    report.checks.push_back(
        {"long axial field: worst slice of a uniform cylinder, its ends left out",
         atMost(0.03 + 5 / std::sqrt(perSlice)), slices.worst,
         "uniform activity; 3 % and 5 SD of a slice's counts",
         fmt::format("neighbouring slices differ as if each had an SD of {:.1f} %, {:.1f} % by its "
                     "counts alone: it grows "
                     "with the updates, which undo the blur, {:.1f} % after the first {} and "
                     "{:.1f} % after {} that take "
                     "all counts at once, whose worst slice is {:.1f} % off; means of {:g} mm are "
                     "{:.3f} to {:.3f}, and "
                     "{:.3f} to {:.3f} of the latter",
                     100 * slices.sd, 100 / std::sqrt(perSlice), 100 * early.sd, settings.subsets,
                     100 * ofWhole.sd, whole.iterations, 100 * ofWhole.worst, kStretch_mm, slices.lowest,
                     slices.highest, ofWhole.lowest, ofWhole.highest)});
    report.checks.push_back({"long axial field: the image's total over decays", within(1, 0.05),
                             total / simulated.decays(), "what was simulated"});
}

void addBreakEven(ExperimentReport& report, const ExperimentContext& context) {
    const bool full = context.size == ExperimentSize::Full;
    const Scanner scanner = full ? Scanner::find("labr3-ideal") : coarseScanner();
    const auto count = context.pick<std::uint64_t>(2'000, 300'000, 20'000'000);
    const EventList list =
        eventsBy(context, "events", 0.3, scanner,
                 full ? Phantom::find("uniform-cylinder") : cylinderInAir(kRadius_mm, kLength_mm), count);
    const Lattice lattice =
        full ? Lattice::centred({144, 144, 48}, {4, 4, 4}) : Lattice::centred({40, 40, 14}, {6, 6, 8});
    BinRequest binning;
    binning.azimuths = context.pick(6, 40, 40);
    binning.lattice = lattice;
    const auto views = binned(context, list, scanner, binning, 0.3);
    const std::shared_ptr<const Measurement> lines =
        std::make_shared<LineMeasurement>(listLines(list, scanner, timeBinsFor(scanner), lattice));
    RunSettings settings = settingsOf("osem", context.engine, 3);
    settings.subsets = 4;
    RunSettings blurred = settings;
    blurred.set("kernel", full ? std::string("variant1") : kernelOf(scanner, lattice).toJson());
    const QuietRun direct = runQuietly(context, views, blurred, std::nullopt, -1, "histo-images", 0.4, 0.7);
    const QuietRun listMode = runQuietly(context, lines, settings, std::nullopt, -1, "lines", 0.7, 1);
    // Views cost the same whatever they hold; lines cost by the event.
    const double breakEven = static_cast<double>(count) * direct.seconds.back() / listMode.seconds.back();
    const char* const part = "list-mode";
    addNumber(report, part, "s of an iteration as histo-images", direct.seconds.back(), "s");
    addNumber(report, part, "s of an iteration as lines", listMode.seconds.back(), "s",
              fmt::format("{} events", count));
    addNumber(report, part, "events at which both cost the same", breakEven);
    report.checks.push_back({"events at which an iteration costs the same both ways, over the paper's",
                             below(1), breakEven / 430e6,
                             "paper 000, section 1: its 430 million events are cheaper as histo-images"});
}

}  // namespace tof
