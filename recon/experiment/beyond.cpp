// SPDX-License-Identifier: Apache-2.0
// What the papers do not have: events of one list as histo-images and as lines, voxels of 2 mm, a long axial
// field, and where list-mode is the cheaper way.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/experiment/papers.h"
#include "recon/experiment/quiet_run.h"
#include "recon/experiment/temporary_file.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/work/bin.h"
#include "recon/work/read_measurement.h"
#include "recon/work/simulate.h"

namespace tof {

namespace {

constexpr std::uint64_t kSeed = 1;

class ToContext : public WorkProgress {
  public:
    explicit ToContext(const ExperimentContext& context) : context_(context) {}
    void stage(const std::string& name) override { stage_ = name; }
    void report(double share) override { context_.progress(stage_, 0.4 * std::clamp(share, 0.0, 1.0)); }
    void note(Remark /*about*/, const std::string& /*sentence*/) override {}

  private:
    const ExperimentContext& context_;
    std::string stage_;
};

/// Mean inside a cylinder about the axis.
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

}  // namespace

ExperimentReport runBeyond(const ExperimentContext& context) {
    const ThreadPool pool(context.threads);
    ToContext progress(context);
    SimulateRequest scan;
    scan.scanner = "labr3-ideal";
    scan.phantom = "uniform-cylinder";
    scan.settings.events = context.pick<std::uint64_t>(5'000, 300'000, 20'000'000);
    if (context.size == ExperimentSize::Full && context.events > 0) {
        scan.settings.events = context.events;
    }
    scan.settings.seed = kSeed;
    const SimulatedScan made = simulateScan(scan, pool, progress);
    const auto& list = std::get<EventList>(made.data);
    const Scanner scanner = Scanner::find(scan.scanner);
    BinRequest binning;
    binning.azimuths = context.pick(6, 20, 40);
    binning.lattice =
        context.pick(Lattice::centred({36, 36, 6}, {16, 16, 32}), Lattice::centred({72, 72, 24}, {8, 8, 8}),
                     Lattice::centred({144, 144, 48}, {4, 4, 4}));
    // Lines are binned from a file.
    const TemporaryFile file;
    writeEvents(file.path, list);
    const std::shared_ptr<const Measurement> views =
        measurementOf(binHistoImages(list, scanner, binning, pool, progress));
    BinRequest lines = binning;
    lines.input = file.path;
    lines.form = DataForm::Lines;
    const std::shared_ptr<const Measurement> rays = measurementOf(binEvents(lines, pool, progress).data);

    const int iterations = context.pick(1, 4, 4);
    RunSettings settings = settingsOf("osem", context.engine, iterations);
    settings.subsets = context.pick(2, 10, 20);
    RunSettings blurred = settings;
    blurred.set("kernel", "invariant");
    const QuietRun direct = runQuietly(context, views, blurred, std::nullopt, -1, "histo-images", 0.4, 0.6);
    const QuietRun listMode = runQuietly(context, rays, settings, std::nullopt, -1, "lines", 0.6, 0.8);
    const double inViews = meanInside(*direct.image, 100, 60);
    const double inLines = meanInside(*listMode.image, 100, 60);
    const double viewSeconds = direct.seconds.back();
    const double lineSeconds = listMode.seconds.back();
    const auto events = static_cast<double>(scan.settings.events);
    // Views cost the same whatever they hold; lines cost by the event.
    const double breakEven = events * viewSeconds / lineSeconds;
    ExperimentReport report;
    report.seeds = {kSeed};
    report.conditions = fmt::format(
        "{:.3g} events of a uniform cylinder in labr3-ideal, {}, OSEM, {} iterations of {} "
        "subsets: the same list as {} x 3 views and as lines.",
        events, latticeText(*binning.lattice), iterations, settings.subsets, binning.azimuths);
    report.data = {
        {"data", "mean", "seconds_per_iteration"},
        {{std::string("histo-images"), inViews, viewSeconds}, {std::string("lines"), inLines, lineSeconds}}};
    report.comparisons = {{"mean inside 100 mm: histo-images over lines", "", "", inViews / inLines, ""},
                          {"events at which an iteration costs the same both ways", "", "", breakEven, ""}};
    report.checks = {{.name = "histo-images over lines of one list: mean inside 100 mm",
                      .relation = Relation::Within,
                      .bound = 1,
                      .tolerance = 0.05,
                      .value = inViews / inLines,
                      .source = "one list, one activity"},
                     {.name = "both are in the same unit",
                      .relation = Relation::Within,
                      .bound = 1,
                      .tolerance = 0,
                      .value = views->units() == rays->units() ? 1.0 : 0.0,
                      .source = "docs/model.md"}};
    report.images = {{"histo-images", direct.image}, {"lines", listMode.image}};
    const auto show = [&](const QuietRun& run, double mean) {
        return SlicePicture{run.image,
                            Plane::Transverse,
                            {0, 0, 0},
                            {0, 2 * mean, Palette::InverseGrey},
                            context.pick(1, 4, 2)};
    };
    report.pictures = {{"slices.png", "One list as histo-images and as lines; black is twice the mean.",
                        SliceMosaic{{show(direct, inViews), show(listMode, inLines)}}}};
    return report;
}

}  // namespace tof
