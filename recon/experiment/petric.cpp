// SPDX-License-Identifier: Apache-2.0
// PETRIC's rule on data of our own: how long BSREM and SVRG take, beginning with one OSEM image, until ten
// iterates in a row are the converged image.
#include <fmt/format.h>

#include <numeric>

#include "recon/experiment/labr3_scan.h"
#include "recon/experiment/map_parts.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/petric_rule.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/read_measurement.h"

namespace tof {

namespace {

constexpr const char* kPetric = "PETRIC, arXiv 2511.22566: within 10 minutes";

struct PetricCase {
    std::shared_ptr<const Measurement> data;
    RoiSet rois;
    std::string kernel;
};

PetricCase caseOf(const ExperimentContext& context) {
    if (!context.dataFile.empty()) {
        const auto data = readMeasurement(context.dataFile);
        return {data, autoRois(data->phantom()), RunSettings().kernelText};
    }
    if (context.size == ExperimentSize::Full) {
        const std::shared_ptr<const HistoData> scan = labr3Scan(context, 0, 0.5);
        return {std::make_shared<HistoMeasurement>(scan), autoRois(scan->phantom), "invariant"};
    }
    const std::string phantom = smallAndLargeSpheres();
    return {mapData(context, phantom, context.pick(2e5, 5e6, 5e6), 0, 0.2), autoRois(phantom), "invariant"};
}

}  // namespace

ExperimentReport runPetric(const ExperimentContext& context) {
    const PetricCase what = caseOf(context);
    ExperimentReport report;
    constexpr double kBeta = 0.01;
    report.conditions = fmt::format(
        "{}; relative difference prior with kappa, beta {}; reference by lbfgsb; all begin with one "
        "iteration "
        "of OSEM on {}",
        latticeText(what.data->lattice()), kBeta, context.engine);
    report.seeds = {1};
    const auto settingsFor = [&](const std::string& algorithm, int iterations) {
        RunSettings settings = mapSettings(context, algorithm, iterations, kBeta);
        settings.set("kernel", what.kernel);
        return settings;
    };
    // BSREM is off by a share of its step, which so has to fall; SVRG's need not.
    const auto run = [&](const std::string& algorithm, int iterations, double from, double to,
                         const std::shared_ptr<const Volume>& start) {
        std::vector<int> all(static_cast<std::size_t>(iterations));
        std::iota(all.begin(), all.end(), 1);
        RunSettings settings = settingsFor(algorithm, iterations);
        settings.stepDecay = algorithm == "bsrem" ? 0.1 : 0.05;
        return runQuietly(context, what.data, settings, std::nullopt, -1, algorithm, from, to, all, start);
    };
    const auto start = run("osem", 1, 0.5, 0.52, nullptr).image;
    RunSettings sure = settingsFor("lbfgsb", context.pick(4, 25, 25));
    sure.stop = 1e-5;
    const auto best =
        runQuietly(context, what.data, sure, std::nullopt, -1, "reference", 0.52, 0.75, {}, start);
    const PetricRule rule(*best.image, what.rois);
    report.data.columns = {"algorithm", "iterate", "seconds", "voi", "object", "background"};
    LineChart chart{"seconds", "root mean square over the object, % of the background", {}};
    double from = 0.75;
    for (const char* const algorithm : {"bsrem", "svrg"}) {
        const QuietRun made =
            run(algorithm, context.pick(14, algorithm == std::string("bsrem") ? 150 : 30, 150), from,
                from + 0.12, start);
        from += 0.12;
        std::vector<PetricDistance> distances;
        std::vector<double> seconds;
        chart.lines.push_back({algorithm});
        for (const auto& [iteration, image] : made.iterates) {
            distances.push_back(rule.distance(*image));
            seconds.push_back((seconds.empty() ? 0.0 : seconds.back()) +
                              made.seconds[static_cast<std::size_t>(iteration) - 1]);
            const PetricDistance& d = distances.back();
            report.data.rows.push_back({std::string(algorithm), static_cast<double>(iteration),
                                        seconds.back(), d.voi, d.object, d.background});
            chart.lines.back().add(seconds.back(), 100 * d.object);
        }
        const int first = PetricRule::firstOfTen(distances);
        const double took = first >= 0 ? seconds[static_cast<std::size_t>(first)] : kMissing;
        report.comparisons.push_back({fmt::format("{}: time to pass", algorithm), "s", "", took,
                                      first >= 0 ? fmt::format("from iterate {} on", first + 1)
                                                 : std::string("no ten iterates in a row passed")});
        report.checks.push_back(
            {fmt::format("{}: seconds until ten in a row pass", algorithm), atMost(600, "s"), took, kPetric});
        report.images.push_back({algorithm, made.image});
    }
    report.pictures.push_back({"passes.svg", "The way to the converged image.", std::move(chart)});
    return report;
}

}  // namespace tof
