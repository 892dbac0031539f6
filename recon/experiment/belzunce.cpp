// SPDX-License-Identifier: Apache-2.0
// Paper 003: MLEM with Siddon's projector on sinograms of a ring scanner: times, what a race does, noise and
// contrast recovery.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/percentile.h"
#include "recon/bench/line_bench.h"
#include "recon/experiment/own_data.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/quiet_run.h"
#include "recon/metrics/sphere_recovery.h"
#include "recon/phantom/brain_phantom.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/work/sinogram_simulation.h"

namespace tof {

namespace {

constexpr const char* kBelzuncePaper = "paper 003, section 3";
constexpr const char* kAtomics = "siddon-atomics";
constexpr const char* kRacy = "siddon-racy";
/// FWHM of its scanner's images (Teras et al., EJNMMI 34 (2007) 1683): the blur that Siddon's lines leave in.
constexpr double kResolution_mm = 5.1;

/// One implementation of the paper and its images of both phantoms.
struct Platform {
    std::string name;  ///< "CPU", "atomics", "racy"
    std::string engine;
    std::string strategy;
    QuietRun iq{};
    QuietRun cylinder{};
};

struct Recovered {
    std::vector<Platform> platforms;  ///< the CPU first
    std::string whyNoDevice;          ///< empty: the device's platforms are there
    std::string conditions;
    std::vector<std::uint64_t> seeds;
};

struct Size {
    MichelogramSpec scanner;
    Lattice lattice;
    double counts;  ///< per ring pair of the whole scanner alike
    std::string algorithm;
    int iterations;
    int subsets;
};

/// Full: the whole scanner, 40 iterations of MLEM. Quick: three rings and 50 updates of OSEM instead.
Size sizeOf(const ExperimentContext& context) {
    Size size{MichelogramSpec::find("ge-ste"), {}, 1e8, "mlem", 40, 0};
    const int whole = size.scanner.scanner.rings;
    if (context.size != ExperimentSize::Full) {
        size.scanner.scanner.rings = context.pick(2, 3, 0);
        if (context.size == ExperimentSize::Tiny) {
            size.scanner.scanner.crystalsPerRing = 112;
            size.scanner.radialBins = 65;
        }
        size.scanner.segments = segmentsOfGe(size.scanner.scanner.rings);
        size.counts *= std::pow(static_cast<double>(size.scanner.scanner.rings) / whole, 2);
        size.algorithm = "osem";
        size.iterations = context.pick(1, 5, 0);
        size.subsets = context.pick(2, 10, 0);
    }
    // The image-quality parameters are of images of 20 cm radius.
    const int across = context.pick(48, 160, 256);
    const double pitch = 400.0 / across;
    size.lattice =
        Lattice::centred({across, across, 2 * size.scanner.scanner.rings - 1}, {pitch, pitch, 3.27});
    return size;
}

QuietRun reconstructed(const ExperimentContext& context, const Size& size, const Phantom& phantom,
                       const std::shared_ptr<const Measurement>& data, const Platform& platform, double from,
                       double to) {
    RunSettings settings = settingsOf(size.algorithm, platform.engine, size.iterations);
    settings.strategy = platform.strategy;
    settings.subsets = size.subsets;
    const auto rois = phantom.shapes.empty() ? std::optional<RoiSet>()
                                             : std::optional(recoveryRois(phantom, SphereCircle::OfDiameter));
    return runQuietly(context, data, settings, rois, size.lattice.size[2] / 2,
                      fmt::format("{}, {}", phantom.name, platform.name), from, to);
}

Recovered recover(const ExperimentContext& context) {
    const Size size = sizeOf(context);
    Recovered all;
    // What the paper's data were simulated with is not said; 1.2 % of noise after 40 iterations means next to
    // none, so these have none.
    const auto simulated = [&](const char* name, double at) {
        SinogramSimulation how{size.scanner, size.lattice, size.counts, 1, false};
        how.noiseFree = true;
        how.blur_mm = kResolution_mm;
        return std::make_shared<SinogramMeasurement>(std::make_shared<const SinogramData>(
            simulateSinograms(how, Phantom::find(name), ThreadPool(context.threads),
                              [&, at](double share) { context.progress("simulating", at + 0.1 * share); })));
    };
    const Phantom iq = Phantom::find("nema-iq");
    const Phantom cylinder = Phantom::find("uniform-cylinder");
    const std::shared_ptr<const Measurement> iqData =
        context.dataFile.empty() ? std::static_pointer_cast<const Measurement>(simulated("nema-iq", 0))
                                 : ownData(context, "lines");
    const std::shared_ptr<const Measurement> cylinderData = simulated("uniform-cylinder", 0.1);
    all.platforms.push_back({"CPU", "cpu", ""});
    all.whyNoDevice = whyMissing(context, kDevice);
    if (all.whyNoDevice.empty()) {
        all.platforms.push_back({"GPU, atomics", kDevice, kAtomics});
        all.platforms.push_back({"GPU, racy", kDevice, kRacy});
    }
    const double step = 0.4 / static_cast<double>(all.platforms.size());
    for (std::size_t i = 0; i < all.platforms.size(); ++i) {
        const double from = 0.2 + 2 * step * static_cast<double>(i);
        all.platforms[i].iq = reconstructed(context, size, iq, iqData, all.platforms[i], from, from + step);
        all.platforms[i].cylinder = reconstructed(context, size, cylinder, cylinderData, all.platforms[i],
                                                  from + step, from + 2 * step);
    }
    all.conditions = fmt::format(
        "Image-quality phantom and uniform cylinder, {} rings of {}, expected counts without noise, "
        "lines 5.1 mm wide, {} x {} x {} voxels, {} iterations of {}{}.",
        size.scanner.scanner.rings, size.scanner.scanner.name, size.lattice.size[0], size.lattice.size[1],
        size.lattice.size[2], size.iterations, size.algorithm,
        size.subsets > 0 ? fmt::format(" with {} subsets", size.subsets) : std::string());
    return all;
}

std::shared_ptr<const Recovered> recovered(const ExperimentContext& context) {
    return context.once<Recovered>("belzunce", [&] { return recover(context); });
}

/// A head as in Fig. 10, whose data were measured on the authors' scanner: expected counts of a brain
/// instead, and the device's image of it where there is one.
struct Brain {
    Phantom phantom;
    std::string by;
    std::shared_ptr<const Volume> image;
};

Brain brainOf(const ExperimentContext& context, const Recovered& all) {
    const Size size = sizeOf(context);
    Brain brain{Phantom::find("brain"), {}, nullptr};
    SinogramSimulation how{size.scanner, size.lattice, size.counts, 1, false};
    how.noiseFree = true;
    how.blur_mm = kResolution_mm;
    const auto data = std::make_shared<SinogramMeasurement>(std::make_shared<const SinogramData>(
        simulateSinograms(how, brain.phantom, ThreadPool(context.threads),
                          [&](double share) { context.progress("simulating", 0.9 + 0.05 * share); })));
    const Platform& platform = all.platforms.at(all.platforms.size() > 1 ? 1 : 0);
    brain.by = platform.name;
    brain.image = reconstructed(context, size, brain.phantom, data, platform, 0.95, 1).image;
    return brain;
}

/// Means over the voxels of the central slice that hold nothing but grey or nothing but white matter.
double greyOverWhite(const Brain& brain) {
    const Lattice& lattice = brain.image->lattice;
    const Volume truth = brain.phantom.emissionOn(lattice);
    const auto meanWhere = [&](float uptake) {
        double sum = 0;
        double voxels = 0;
        lattice.forEachVoxel([&](int x, int y, int z) {
            if (z == lattice.size[2] / 2 && truth.at(x, y, z) == uptake) {
                sum += static_cast<double>(brain.image->at(x, y, z));
                ++voxels;
            }
        });
        return sum / voxels;
    };
    return meanWhere(BrainUptake::kGrey) / meanWhere(BrainUptake::kWhite);
}

SlicePicture centralSlice(std::shared_ptr<const Volume> image, int zoom) {
    const Lattice& lattice = image->lattice;
    const float largest = *std::max_element(image->data.begin(), image->data.end());
    const int plane = lattice.size[2] / 2;
    const Vec3 middle = lattice.centre(0, 0, plane);
    return {std::move(image),
            Plane::Transverse,
            middle,
            {0, static_cast<double>(largest), Palette::InverseGrey},
            zoom};
}

struct PrintedSphere {
    const char* roi;
    double percent;  ///< Table 6, Core i7
};
constexpr std::array<PrintedSphere, 6> kSpheres{{{"hot 10 mm", 44.6},
                                                 {"hot 13 mm", 68.5},
                                                 {"hot 17 mm", 74.9},
                                                 {"hot 22 mm", 80.2},
                                                 {"cold 28 mm", 64.1},
                                                 {"cold 37 mm", 71.0}}};

/// Q_H or Q_C of a sphere, %.
double recoveryOf(const Figures& figures, const char* name) {
    for (const RoiFigures& roi : figures.rois) {
        if (roi.name == name && roi.hasContrastRecovery) {
            return 100 * roi.contrastRecovery;
        }
    }
    return kMissing;
}

double meanOf(const Volume& volume) {
    double sum = 0;
    for (const float value : volume.data) {
        sum += static_cast<double>(value);
    }
    return sum / static_cast<double>(volume.data.size());
}

/// Root mean square of the difference over that of the second.
double relativeDifference(const Volume& one, const Volume& other) {
    double apart = 0;
    double whole = 0;
    for (std::size_t i = 0; i < one.data.size(); ++i) {
        const double b = static_cast<double>(other.data[i]);
        apart += std::pow(static_cast<double>(one.data[i]) - b, 2);
        whole += b * b;
    }
    return std::sqrt(apart / whole);
}

/// What the paper says of images of a device against those of the processor.
void addDeviceChecks(ExperimentReport& report, const Recovered& all) {
    const Platform& cpu = all.platforms.front();
    const bool there = all.platforms.size() == 3;
    const auto value = [&](const auto& of) { return there ? of() : kMissing; };
    report.checks.push_back(
        {"atomics against the processor: RMS difference of the images", atMost(1e-4),
         value([&] { return relativeDifference(*all.platforms[1].iq.image, *cpu.iq.image); }), kBelzuncePaper,
         "", all.whyNoDevice});
    report.checks.push_back(
        {"racy over the processor: mean of the cylinder", below(1),
         value([&] { return meanOf(*all.platforms[2].cylinder.image) / meanOf(*cpu.cylinder.image); }),
         kBelzuncePaper, "", all.whyNoDevice});
    report.checks.push_back({"racy over the processor: noise to signal of the cylinder", above(1), value([&] {
                                 return all.platforms[2].cylinder.figures.back().nsr /
                                        cpu.cylinder.figures.back().nsr;
                             }),
                             "paper 003, Table 5", "", all.whyNoDevice});
}

/// Tables 2, 3, 4 and 7: the whole scanner on every engine, as `bench --system ring` measures it.
void addTimes(ExperimentReport& report, const ExperimentContext& context, const Recovered& all) {
    if (context.size != ExperimentSize::Full) {
        report.notes.emplace_back(
            "Tables 2, 3, 4 and 7 are times of the whole scanner: they come with the full size.");
        const QuietRun& run = all.platforms.front().iq;
        report.comparisons.push_back(
            {"CPU: forward, of the smaller scanner", "s", "211", run.mean_s(Stage::Forward), ""});
        report.comparisons.push_back(
            {"CPU: back, of the smaller scanner", "s", "183", run.mean_s(Stage::Back), ""});
        return;
    }
    LineBenchOptions options;
    options.threads = context.threads;
    options.events = 0;
    options.iterations = 4;   // two are timed
    options.only = "siddon";  // the paper's
    const auto form =
        parseJson(runLineBench(context.engines, options,
                               [&](const std::string& what, double done) { context.progress(what, done); }),
                  "bench");
    std::map<std::string, double> cpu;
    for (const auto& result : form["results"]) {
        const auto shape = jsonText(result["shape"]) + jsonText(result["fov_radius_mm"]);
        const double seconds = 1e-3 * result["median_ms"].get<double>();
        const auto name = result["name"].get<std::string>();
        report.comparisons.push_back({name + ": one iteration", "s", "2.8 to 435.1 (Table 2)", seconds, ""});
        if (result["engine"] == "cpu") {
            cpu.emplace(shape, seconds);
        } else if (cpu.count(shape) > 0) {
            const double speedUp = cpu[shape] / seconds;
            report.comparisons.push_back(
                {name + ": times as fast as the processor", "", "13.3 to 85.1 (Table 3)", speedUp, ""});
            report.checks.push_back(
                {name + ": times as fast as the processor", above(1), speedUp, "paper 003, Table 3"});
        }
        for (const auto& [stage, ms] : result["stages_ms"].items()) {
            if (ms.is_number()) {
                report.comparisons.push_back({fmt::format("{}: {}", name, stage), "s", "(Tables 4 and 7)",
                                              1e-3 * ms.get<double>(), ""});
            }
        }
    }
}

}  // namespace

ExperimentReport runBelzunceTables(const ExperimentContext& context) {
    const auto all = recovered(context);
    ExperimentReport report;
    report.conditions = all->conditions;
    report.data.columns = {"platform", "quantity", "percent"};
    for (const Platform& platform : all->platforms) {
        const Figures& iq = platform.iq.figures.back();
        const Figures& cylinder = platform.cylinder.figures.back();
        report.data.rows.push_back({platform.name, std::string("NSR cylinder"), 100 * cylinder.nsr});
        report.data.rows.push_back({platform.name, std::string("NSR image quality"), 100 * iq.nsr});
        report.comparisons.push_back({platform.name + ": noise to signal, cylinder", "%",
                                      platform.name == "GPU, racy" ? "10.6" : "4.9", 100 * cylinder.nsr,
                                      "the paper's cylinder was measured, ours has no noise"});
        report.comparisons.push_back({platform.name + ": noise to signal, image quality", "%",
                                      platform.name == "GPU, racy" ? "9.3"
                                      : platform.name == "CPU"     ? "1.2"
                                                                   : "1.8",
                                      100 * iq.nsr, ""});
        for (const PrintedSphere& sphere : kSpheres) {
            const double q = recoveryOf(iq, sphere.roi);
            report.data.rows.push_back({platform.name, std::string(sphere.roi), q});
            report.comparisons.push_back({fmt::format("{}: {}", platform.name, sphere.roi), "%",
                                          fmt::format("{:g}", sphere.percent), q, ""});
        }
    }
    const Figures& iq = all->platforms.front().iq.figures.back();
    double smallestRise = recoveryOf(iq, kSpheres[1].roi) - recoveryOf(iq, kSpheres[0].roi);
    for (std::size_t i = 2; i < 4; ++i) {
        smallestRise =
            std::min(smallestRise, recoveryOf(iq, kSpheres[i].roi) - recoveryOf(iq, kSpheres[i - 1].roi));
    }
    report.checks.push_back({"Q of hot spheres rises with the diameter: smallest step", above(0, "points"),
                             smallestRise, "paper 003, Table 6"});
    for (const PrintedSphere& sphere : kSpheres) {
        report.checks.push_back({fmt::format("Q, {}", sphere.roi), within(sphere.percent, 15, "%"),
                                 recoveryOf(iq, sphere.roi), "paper 003, Table 6",
                                 "the paper says neither how many counts its data had nor what "
                                 "blurred them; these are expected counts in lines 5.1 mm wide"});
    }
    addDeviceChecks(report, *all);
    addTimes(report, context, *all);
    return report;
}

ExperimentReport runBelzunceFigs(const ExperimentContext& context) {
    const auto all = recovered(context);
    ExperimentReport report;
    report.conditions = all->conditions;
    report.data.columns = {"platform", "iteration", "nsr_iq", "nsr_cylinder", "forward_s", "back_s"};
    SliceMosaic slices(2);
    LineChart nsr{"iteration", "noise to signal, %", {}};
    LineChart stages{"iteration", "s", {}};
    for (const Platform& platform : all->platforms) {
        nsr.lines.push_back({platform.name + ", image quality"});
        stages.lines.push_back({platform.name + ", forward"});
        stages.lines.push_back({platform.name + ", back"});
        for (std::size_t i = 0; i < platform.iq.figures.size(); ++i) {
            const double iteration = platform.iq.figures[i].iteration;
            const std::vector<double>& seconds = platform.iq.stages_s[i];
            const double forward = seconds[static_cast<std::size_t>(Stage::Forward)];
            const double back = seconds[static_cast<std::size_t>(Stage::Back)];
            report.data.rows.push_back({platform.name, iteration, platform.iq.figures[i].nsr,
                                        platform.cylinder.figures[i].nsr, forward, back});
            nsr.lines.back().add(iteration, 100 * platform.iq.figures[i].nsr);
            stages.lines[stages.lines.size() - 2].add(iteration, forward);
            stages.lines.back().add(iteration, back);
        }
        for (const auto& [run, row] :
             {std::pair{&platform.cylinder, std::size_t{0}}, std::pair{&platform.iq, std::size_t{1}}}) {
            const auto slice = std::make_shared<const Volume>(run->slices.back());
            // One scale for a row: what a race loses is seen against the processor's image.
            const QuietRun& reference =
                row == 0 ? all->platforms.front().cylinder : all->platforms.front().iq;
            const Volume& first = reference.slices.back();
            const float largest = *std::max_element(first.data.begin(), first.data.end());
            slices[row].push_back(
                {slice,
                 Plane::Transverse,
                 slice->lattice.centre(0, 0, 0),
                 {0, (row == 0 ? 2 : 1) * static_cast<double>(largest), Palette::InverseGrey},
                 context.pick(1, 2, 2)});
        }
        report.images.push_back({platform.name + ", image quality", platform.iq.image});
        report.images.push_back({platform.name + ", cylinder", platform.cylinder.image});
    }
    const Platform& cpu = all->platforms.front();
    const Figures& last = cpu.iq.figures.back();
    report.comparisons = {{"CPU: hot sphere of 22 mm over the smallest of 10 mm, Q", "", "1.8",
                           recoveryOf(last, "hot 22 mm") / recoveryOf(last, "hot 10 mm"), ""}};
    std::string columns;
    for (const Platform& platform : all->platforms) {
        columns += (columns.empty() ? "" : "; ") + platform.name;
    }
    report.pictures = {{"slices.png",
                        fmt::format("Figs. 7 and 8: central slices of the cylinder (black is twice the "
                                    "processor's largest value) and of the image-quality phantom (black is "
                                    "that value). Columns: {}.",
                                    columns),
                        std::move(slices)},
                       {"stages.svg", "Fig. 6: time of forward and back projection.", std::move(stages)},
                       {"nsr.svg", "Noise to signal against the iteration.", std::move(nsr)}};
    report.notes.emplace_back(
        "Fig. 9, speed-ups, is in the numbers of belzunce-tables. The brain of Fig. 10 was measured on the "
        "authors' scanner; this one is simulated. --data takes sinograms of one's own.");
    const Brain brain = brainOf(context, *all);
    report.images.push_back({brain.by + ", brain", brain.image});
    report.pictures.push_back({"brain.png", "Fig. 10: central slice of a brain, and the truth beside it.",
                               SliceMosaic{{centralSlice(brain.image, context.pick(1, 2, 2)),
                                            centralSlice(std::make_shared<const Volume>(
                                                             brain.phantom.emissionOn(brain.image->lattice)),
                                                         context.pick(1, 2, 2))}}});
    const double contrast = greyOverWhite(brain);
    report.comparisons.push_back(
        {"brain: grey over white matter, 4 in truth", "", "", contrast, "central slice, by " + brain.by});
    report.checks.push_back({"grey matter is seen against white", above(1), contrast, "paper 003, Fig. 10"});
    // Spheres must be seen: hot ones above and cold ones below their background.
    for (const char* const sphere : {"hot 10 mm", "cold 28 mm"}) {
        report.checks.push_back({fmt::format("{} is seen: Q", sphere), above(0, "%"),
                                 recoveryOf(last, sphere), "paper 003, Fig. 8"});
    }
    addDeviceChecks(report, *all);
    return report;
}

}  // namespace tof
