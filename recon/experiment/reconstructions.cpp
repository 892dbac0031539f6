// SPDX-License-Identifier: Apache-2.0
// Paper 000, Tables III and IV: how long a reconstruction takes, stage by stage.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/experiment/experiment.h"
#include "recon/experiment/own_data.h"
#include "recon/experiment/papers.h"
#include "recon/experiment/quiet_run.h"
#include "recon/systems/histo/histo_measurement.h"

namespace tof {

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

}  // namespace tof
