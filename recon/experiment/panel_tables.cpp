// SPDX-License-Identifier: Apache-2.0
// Paper 004: two panels: how many lines and what they cost, and what is resolved.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/percentile.h"
#include "recon/experiment/own_data.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/points.h"
#include "recon/experiment/quiet_run.h"
#include "recon/forms/panel/panel_lines.h"
#include "recon/kernel/point_response.h"
#include "recon/phantom/panel_phantoms.h"
#include "recon/scanner/panel_geometry.h"
#include "recon/seam/device_kernel.h"
#include "recon/simulate/slices.h"
#include "recon/systems/panel/panel_measurement.h"
#include "recon/work/simulate.h"

namespace tof {

namespace {

constexpr std::uint64_t kPanelSeed = 1;

class PanelProgress : public WorkProgress {
  public:
    explicit PanelProgress(const ExperimentContext& context) : context_(context) {}
    void stage(const std::string& name) override { stage_ = name; }
    void report(double share) override { context_.progress(stage_, 0.3 * std::clamp(share, 0.0, 1.0)); }
    void note(Remark /*about*/, const std::string& /*sentence*/) override {}

  private:
    const ExperimentContext& context_;
    std::string stage_;
};

struct PanelScan {
    std::shared_ptr<const Measurement> data;
    std::string scanner;
    std::string phantom;
    std::uint64_t events = 0;
};

/// Events of a phantom by Monte Carlo of crystals: nothing of it is the matrix.
PanelScan scanOf(const ExperimentContext& context, const std::string& phantom, std::uint64_t events) {
    PanelScan scan;
    scan.scanner = context.size == ExperimentSize::Full ? "hrrt-panel" : "small-panel";
    scan.phantom = phantom;
    scan.events = events;
    SimulateRequest request;
    request.scanner = scan.scanner;
    request.phantom = scan.phantom;
    request.settings.events = scan.events;
    request.settings.seed = kPanelSeed;
    // A device follows photons of scans in time alone.
    if (context.engine == kDevice && Scanner::find(scan.scanner).detection) {
        request.slices = slicesBy(context.engines, kDevice);
    }
    const ThreadPool pool(context.threads);
    PanelProgress progress(context);
    SimulatedScan made = simulateScan(request, pool, progress);
    BinRequest none;
    none.mu = "none";  // paper 004 corrects no attenuation
    scan.data = std::make_shared<PanelMeasurement>(std::make_shared<const PanelData>(
        binPanelLines(std::get<EventList>(made.data), Scanner::find(scan.scanner), none, pool, progress)));
    return scan;
}

PanelScan rods(const ExperimentContext& context) {
    if (!context.dataFile.empty()) {
        return {ownData(context, "panel"), "the user's", "", 0};
    }
    return context.size == ExperimentSize::Full
               ? scanOf(context, "micro-derenzo", context.events > 0 ? context.events : 172'000'000)
               : scanOf(context, "small-derenzo", context.pick<std::uint64_t>(2'000, 3'000'000, 0));
}

struct PanelImages {
    PanelScan scan;
    QuietRun run;
    std::array<std::shared_ptr<const Volume>, 3> after;  ///< iteration 1, 4 and the last
};

int iterationsOf(const ExperimentContext& context) {
    return context.pick(1, 24, 24);
}

std::shared_ptr<const PanelImages> panelImages(const ExperimentContext& context) {
    return context.once<PanelImages>("panel", [&] {
        PanelImages images;
        images.scan = rods(context);
        const int middle = context.pick(1, 4, 4);
        images.run =
            runQuietly(context, images.scan.data, settingsOf("osem", context.engine, iterationsOf(context)),
                       std::nullopt, -1, "OSEM", 0.3, 0.9, {1, middle});
        images.after = {images.run.iterates.at(1), images.run.iterates.at(middle), images.run.image};
        return images;
    });
}

/// Mean along x of the middle third: rods lie along x. One plane of y and z.
Volume middleThird(const Volume& image) {
    Lattice flat = image.lattice;
    const int first = image.lattice.size[0] / 3;
    const int last = image.lattice.size[0] - first;
    flat.size[0] = 1;
    flat.origin_mm.x = 0;
    Volume mean(flat);
    flat.forEachVoxel([&](int, int y, int z) {
        double sum = 0;
        for (int x = first; x < last; ++x) {
            sum += static_cast<double>(image.at(x, y, z));
        }
        mean.at(0, y, z) = static_cast<float>(sum / (last - first));
    });
    return mean;
}

/// The rat of Fig. 6, with its head in the middle: a ninth of the paper's 460 million counts.
struct Rat {
    PanelScan scan;
    QuietRun run;
    int iterations = 0;
};

Rat ratOf(const ExperimentContext& context) {
    Rat rat;
    const std::uint64_t most = context.events > 0 ? context.events : 50'000'000;
    rat.scan = scanOf(context, "rat-head", context.pick<std::uint64_t>(2'000, 300'000, most));
    rat.iterations = context.pick(1, 4, 12);
    rat.run = runQuietly(context, rat.scan.data, settingsOf("osem", context.engine, rat.iterations),
                         std::nullopt, -1, "rat", 0.9, 1, {1});
    return rat;
}

/// Fig. 6: "negligible differences" between the processor's image and the device's.
Check bothAlike(const ExperimentContext& context, const Rat& rat) {
    Check check{"the rat after one iteration, processor and device: largest difference", atMost(1e-4),
                kMissing, "paper 004, Fig. 6", "over the largest value"};
    if (context.engine != kDevice) {
        const std::string absent = whyMissing(context, kDevice);
        check.missing =
            absent.empty() ? fmt::format("it is compared where --engine is '{}'", kDevice) : absent;
        return check;
    }
    const QuietRun host = runQuietly(context, rat.scan.data, settingsOf("osem", "cpu", 1), std::nullopt, -1,
                                     "rat, processor", 1, 1);
    const Volume& one = *rat.run.iterates.at(1);
    double apart = 0;
    for (std::size_t i = 0; i < one.data.size(); ++i) {
        apart = std::max(
            apart, std::abs(static_cast<double>(one.data[i]) - static_cast<double>(host.image->data[i])));
    }
    check.value = apart / peakOf(*host.image);
    return check;
}

void addRat(ExperimentReport& report, const ExperimentContext& context) {
    constexpr double kBright = 0.998;  // the brightest voxels are noise at the edge of the field
    const Rat rat = ratOf(context);
    const auto slice = std::make_shared<const Volume>(middleThird(*rat.run.image));
    std::vector<float> values = slice->data;
    const Tone tone = upTo(static_cast<double>(percentile(values, kBright)));
    report.images.push_back({"rat", rat.run.image});
    report.pictures.push_back(
        {"rat.png",
         fmt::format("Fig. 6: a rat's head, the middle third of the planes, {} events, {} iterations; the "
                     "paper's rat was measured.",
                     rat.scan.events, rat.iterations),
         SliceMosaic{{{slice, Plane::Sagittal, {0, 0, 0}, tone, context.pick(1, 3, 2)}}}});
    report.checks.push_back(bothAlike(context, rat));
}

double valueAt(const Volume& flat, double y, double z) {
    return static_cast<double>(flat.at(nearestVoxel(flat.lattice, {0, y, z})));
}

/// Sector s of rods, as the phantoms have them.
struct Sector {
    double diameter_mm;
    double azimuth_rad;
};

/// Means at the centres of a sector's rods and between neighbours; kMissing with one rod alone.
struct PeakAndValley {
    double peak = kMissing;
    double valley = kMissing;
    [[nodiscard]] double ratio() const { return peak > 0 ? valley / peak : kMissing; }
};

PeakAndValley peakAndValley(const Volume& flat, const Sector& sector, double radius_mm) {
    const auto centres = derenzoRods(sector.diameter_mm, sector.azimuth_rad, radius_mm);
    double peaks = 0;
    double valleys = 0;
    int pairs = 0;
    for (const auto& one : centres) {
        peaks += valueAt(flat, one[0], one[1]);
        for (const auto& other : centres) {
            const double apart = std::hypot(one[0] - other[0], one[1] - other[1]);
            if (apart > 0.1 && apart < 2.1 * sector.diameter_mm) {
                valleys += valueAt(flat, 0.5 * (one[0] + other[0]), 0.5 * (one[1] + other[1]));
                ++pairs;
            }
        }
    }
    return pairs > 0 ? PeakAndValley{peaks / static_cast<double>(centres.size()), valleys / pairs}
                     : PeakAndValley();
}

/// What the ratio consists of: a model of the blur lets the middles of thick rods fall while their edges
/// rise, and what lies between rods cannot fall below what the model does not know.
std::string stepsText(const std::array<PeakAndValley, 3>& after) {
    std::string text = fmt::format(
        "in their middles rods have {:.4g}, {:.4g} and {:.4g} emissions per voxel, between them are {:.4g}, "
        "{:.4g} "
        "and {:.4g}",
        after[0].peak, after[1].peak, after[2].peak, after[0].valley, after[1].valley, after[2].valley);
    if (after[2].ratio() > after[1].ratio()) {
        const double peaks = after[2].peak / after[1].peak;
        const double valleys = after[2].valley / after[1].valley;
        text += fmt::format("; in the last step middles change by {:+.0f} %, what lies between by {:+.0f} %",
                            100 * (peaks - 1), 100 * (valleys - 1));
        text +=
            peaks < 1 ? ": the model of the blur raises the edges of rods at the cost of their middles" : "";
    }
    return text;
}

/// Seconds of one forward projection of all lines with an algorithm of the paper.
double forwardSeconds(const ExperimentContext& context, const Measurement& data, const char* strategy) {
    const auto engine = context.engines.require(kDevice);
    EngineOptions options;
    options.strategy = strategy;
    options.threads = context.threads;
    RunSettings settings = settingsOf("osem", kDevice, 1);
    settings.strategy = strategy;
    const std::shared_ptr<Space> space = engine->makeSpace(options);
    const std::unique_ptr<Projector> projector =
        requireProjector(*engine, data.model(settings), space, options);
    std::size_t largest = 0;
    for (std::size_t part = 0; part < projector->parts(); ++part) {
        largest = std::max(largest, projector->dataSize(part));
    }
    Array image = space->allocate(data.lattice().voxels());
    Array values = space->allocate(largest);
    space->fill(image.view(), 1);
    const auto project = [&](std::size_t part) {
        projector->forward(part, image.view(), values.view().part(0, projector->dataSize(part)));
    };
    project(0);  // what is made once is made here
    space->finish();
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t part = 0; part < projector->parts(); ++part) {
        project(part);
    }
    space->finish();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What follows from the scanner's description alone.
void addGeometry(ExperimentReport& report) {
    constexpr const char* kPaper = "paper 004, Methods and Tables 1 to 3";
    const std::optional<PanelGeometry> found = PanelGeometry::of(Scanner::find("hrrt-panel"));
    if (!found) {
        throw InternalError("hrrt-panel is no scanner of two panels");
    }
    const PanelGeometry& geometry = *found;
    PanelGeometry layered = geometry;
    layered.layers = 2;
    const Lattice lattice = geometry.lattice();
    const auto exact = [&](const char* name, double paper, double ours) {
        report.data.rows.push_back({std::string(name), ours});
        report.comparisons.push_back({name, "", fmt::format("{:.0f}", paper), ours, ""});
        report.checks.push_back({name, within(paper, 0), ours, kPaper});
    };
    exact("lines of response of single layers", 56'070'144, static_cast<double>(geometry.lors()));
    exact("orientation classes", 7'488, geometry.classes());
    exact("subsets", 72, static_cast<double>(panelParts(geometry, 1).parts()));
    exact("planes of the image", 119, lattice.size[0]);
    exact("voxels of the image along y", 416, lattice.size[1]);
    exact("voxels of the image along z", 288, lattice.size[2]);
    report.checks.push_back({"lines of two layers, \"more than 224 million\"", atLeast(224e6),
                             static_cast<double>(layered.lors()), kPaper});
}

/// Seconds of both projections of an iteration.
void addTimes(ExperimentReport& report, const PanelImages& images) {
    const auto add = [&](Stage stage, const std::string& name, const char* paper) {
        const double mean = images.run.mean_s(stage);
        report.data.rows.push_back({name + ", s", mean});
        report.comparisons.push_back(
            {name, "s", paper, mean, fmt::format("{} on {}", images.scan.scanner, images.run.engine)});
        return mean;
    };
    const double forward = add(Stage::Forward, "forward of an iteration", "14312 (CPU), 111.38 (GPU)");
    const double back = add(Stage::Back, "back of an iteration", "23873 (CPU), 678.27 (GPU)");
    report.checks.push_back(
        {"back over forward, time of an iteration", above(1), back / forward, "paper 004, Table 2"});
}

/// The paper's algorithms, on a device.
void addAlgorithms(ExperimentReport& report, const ExperimentContext& context, const PanelImages& images) {
    const std::string missing = whyMissing(context, kDevice);
    const auto* const told =
        missing.empty() ? context.engines.require(kDevice)->offers<TellsKernels>() : nullptr;
    const std::vector<DeviceKernel> kernels = told != nullptr ? told->kernels() : std::vector<DeviceKernel>();
    const auto occupancy = [&](const char* strategy, const char* projection) {
        const auto at = std::find_if(kernels.begin(), kernels.end(), [&](const DeviceKernel& k) {
            return k.strategy == strategy && k.projection == projection;
        });
        return at != kernels.end() ? at->occupancy : kMissing;
    };
    const auto timeOf = [&](const char* strategy) {
        context.progress(strategy, 0.9);
        return missing.empty() ? forwardSeconds(context, *images.scan.data, strategy) : kMissing;
    };
    const double algorithm1 = timeOf("lor");
    const double algorithm2 = timeOf("symmetric");
    const double algorithm3 = timeOf("symmetric-shared");
    report.comparisons.push_back({"algorithm 1: forward of an iteration", "s", "2417", algorithm1, missing});
    report.comparisons.push_back({"algorithm 2", "s", "171.36", algorithm2, missing});
    report.comparisons.push_back({"algorithm 3", "s", "111.38", algorithm3, missing});
    report.comparisons.push_back(
        {"occupancy, forward", "", "0.61", occupancy("symmetric-shared", "forward"), missing});
    report.comparisons.push_back(
        {"occupancy, back", "", "0.53", occupancy("symmetric-shared", "back"), missing});
    report.checks.push_back({"algorithm 2 over algorithm 1, forward", below(1), algorithm2 / algorithm1,
                             "paper 004, Table 1",
                             "entries that the paper's card read from memory come from caches "
                             "here, and all three wait for the second one: "
                             "counted on an H200 (ncu), algorithm 2 asks for 10 % less than 1, but "
                             "its four lines lie at four places of "
                             "the image, so the first cache has 28 % of it instead of 60 %, and "
                             "the second gives 1.7 times as much at 96 % "
                             "of what it can",
                             missing});
    report.checks.push_back(
        {"algorithm 3 over algorithm 2, forward", below(1), algorithm3 / algorithm2, "paper 004, Table 1",
         "sums in shared memory spare algorithm 2 a write of its sums, which is little beside its "
         "reads, and texture reads pass the same caches",
         missing});
}

}  // namespace

ExperimentReport runPanelTables(const ExperimentContext& context) {
    context.progress("geometry", 0);
    ExperimentReport report;
    report.conditions =
        "Two heads of 104 x 72 crystals, 6 cm apart; times of a smaller one where the size is quick.";
    report.data.columns = {"quantity", "value"};
    report.seeds = {kPanelSeed};
    addGeometry(report);
    const auto images = panelImages(context);
    addTimes(report, *images);
    addAlgorithms(report, context, *images);
    return report;
}

ExperimentReport runPanelFigs(const ExperimentContext& context) {
    constexpr const char* kPaper = "paper 004, Figs. 7 and 8";
    constexpr double kSixth_rad = kPi / 3;
    const auto images = panelImages(context);
    const auto flat = std::make_shared<const Volume>(middleThird(*images->run.image));
    ExperimentReport report;
    report.conditions =
        fmt::format("{} in {}, {} events by Monte Carlo, OSEM, {} iterations.",
                    images->scan.phantom.empty() ? std::string("The user's data") : images->scan.phantom,
                    images->scan.scanner, images->scan.events, iterationsOf(context));
    report.seeds = {kPanelSeed};
    report.images.push_back({"OSEM", images->run.image});
    report.data.columns = {"diameter_mm", "after_1", "after_4",  "valley_to_peak", "peak_1",
                           "peak_4",      "peak",    "valley_1", "valley_4",       "valley"};
    const double top = peakOf(*flat);
    const std::array<int, 3> iterations{1, context.pick(1, 4, 4), iterationsOf(context)};
    std::vector<SlicePicture> rods;
    LineChart profiles{"y, mm", "emissions per voxel", {}};
    for (std::size_t k = 0; k < iterations.size(); ++k) {
        const auto shown = std::make_shared<const Volume>(middleThird(*images->after[k]));
        rods.push_back({shown, Plane::Sagittal, {0, 0, 0}, upTo(peakOf(*shown)), context.pick(1, 3, 2)});
        profiles.lines.push_back({fmt::format("z = 0, after iteration {}", iterations[k])});
        for (int y = 0; y < shown->lattice.size[1]; ++y) {
            const Vec3 at = shown->lattice.centre(0, y, nearestVoxel(shown->lattice, {0, 0, 0})[2]);
            profiles.lines.back().add(at.y, static_cast<double>(shown->at(nearestVoxel(shown->lattice, at))));
        }
    }
    report.pictures.push_back(
        {"rods.png",
         fmt::format(
             "Fig. 7: across the rods, the middle third of the planes, after iterations {}, {} and {}; "
             "black is the largest value of each.",
             iterations[0], iterations[1], iterations[2]),
         SliceMosaic{std::move(rods)}});
    report.pictures.push_back({"profile.svg", "Fig. 8: along y through the middle.", std::move(profiles)});
    if (images->scan.phantom.empty()) {
        report.checks.push_back({"the image holds something", above(0), top, kPaper});
        return report;
    }
    addRat(report, context);
    const bool micro = images->scan.phantom == "micro-derenzo";
    const std::vector<double> diameters =
        micro ? std::vector<double>{2.4, 2.0, 1.7, 1.35, 1.0, 0.75} : std::vector<double>{2.4, 2.0, 1.7};
    for (std::size_t i = 0; i < diameters.size(); ++i) {
        const Sector sector{diameters[i], kSixth_rad * (static_cast<double>(i) + 0.5)};
        std::array<PeakAndValley, 3> found;
        std::array<double, 3> after{};
        for (std::size_t k = 0; k < after.size(); ++k) {
            found[k] = peakAndValley(middleThird(*images->after[k]), sector, micro ? 22 : 19);
            after[k] = found[k].ratio();
        }
        const double ratio = after.back();
        report.data.rows.push_back({diameters[i], after[0], after[1], after[2], found[0].peak, found[1].peak,
                                    found[2].peak, found[0].valley, found[1].valley, found[2].valley});
        report.comparisons.push_back({fmt::format("valley over peak, rods of {:g} mm", diameters[i]), "",
                                      diameters[i] >= 1.35 ? "resolved" : "", ratio, ""});
        if (diameters[i] >= 1.35) {
            report.checks.push_back({fmt::format("valley over peak, rods of {:g} mm", diameters[i]),
                                     below(diameters[i] >= 1.7 ? 0.5 : 0.75), ratio, kPaper});
            report.checks.push_back({fmt::format("the same falls from iteration 1 to 4 to {}: smallest step",
                                                 iterationsOf(context)),
                                     above(0), std::min(after[0] - after[1], after[1] - after[2]), kPaper,
                                     stepsText(found)});
        }
    }
    return report;
}

}  // namespace tof
