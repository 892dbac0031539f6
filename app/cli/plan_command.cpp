// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/lattice_options.h"
#include "app/cli/rank_commands.h"
#include "app/cli/text_table.h"
#include "recon/algorithm/reconstruction.h"
#include "recon/base/text_file.h"
#include "recon/scanner/scanner.h"
#include "recon/settings/settings.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/rank_plan.h"
#include "recon/work/read_measurement.h"
#include "recon/work/reconstruct.h"

namespace tof {

namespace {

class PlanCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("DATA-OR-SCANNER", subject_, "Data file, or a scanner of histo-images");
        arguments.integer("ranks", ranks_, 1, 65536,
                          "How many are wanted; the table goes there in doublings");
        arguments.custom(
            "grid", "XxYxZ", "of the data, or 144x144x48",
            [this](const std::string& text) { size_ = sizesFromText("--grid", text, 3, 1, 4096); },
            "Voxels along x, y and z, for a scanner");
        arguments.number("voxel", voxel_mm_, 0.01, 1000, "Voxel edge in mm, for a scanner");
        arguments.custom(
            "views", "PHIxTHETA", "of the data, or 40x3",
            [this](const std::string& text) { views_ = sizesFromText("--views", text, 2, 1, 4096); },
            "Azimuths and tilts, for a scanner");
        arguments.text("kernel", kernel_, "SR kernel: a preset or a file");
        arguments.text("algorithm", algorithm_, "As of 'reconstruct'");
        arguments.integer("subsets", subsets_, 0, 4096,
                          "Blocks per iteration; 0: as 'reconstruct' takes them");
        arguments.number("counts", counts_, 0, 1e15, "Of a scanner, by which subsets are taken");
        arguments.text("bench", bench_, "Rates of this machine: what 'bench --out' has written");
        arguments.text("engine", engine_, "Whose rates of --bench; empty: the fastest");
        arguments.integer("ranks-per-machine", rates_.ranksPerMachine, 1, 1024,
                          "Cards or sockets of a machine");
        gigabytes(arguments, "memory", rates_.memoryBytes, "Memory of a rank, GB");
        gigabytes(arguments, "link", rates_.far_bytes_per_s,
                  "Network between machines per rank, GB/s each way");
        gigabytes(arguments, "near-link", rates_.near_bytes_per_s,
                  "Between ranks of a machine, GB/s each way");
        arguments.number("latency", latency_us_, 0, 1e6, "Of a message, microseconds");
    }

    void run(CommandContext& context) override {
        for (const auto& [given, target] : gigabytes_) {
            *target = 1e9 * *given;
        }
        rates_.message_s = 1e-6 * latency_us_;
        const PlannedRun planned = subject();
        if (!bench_.empty()) {
            rates_ = ratesFromBench(readTextFile(bench_), bench_, engine_, rates_);
        }
        std::vector<RankPlan> plans;
        for (int ranks = 1; ranks < ranks_; ranks *= 2) {
            plans.push_back(planOf(planned, rates_, ranks));
        }
        plans.push_back(planOf(planned, rates_, ranks_));
        print(context.console, planned, plans);
    }

  private:
    void gigabytes(Arguments& arguments, const std::string& name, double& target, const std::string& help) {
        gigabytes_.emplace_back(std::make_unique<double>(target / 1e9), &target);
        arguments.number(name, *gigabytes_.back().first, 1e-6, 1e9, help);
    }

    PlannedRun subject() const {
        const KernelSpec kernel = KernelSpec::parse(kernel_);
        AlgorithmSettings settings;
        settings.algorithm = &algorithmNamed(algorithm_);
        settings.subsets = subsets_;
        PlannedRun run;
        const std::string system = std::filesystem::exists(subject_) ? systemOfDataOrNone() : std::string();
        if (!system.empty()) {
            const std::shared_ptr<const Measurement> measured =
                inBlocks(readMeasurement(subject_, throwIfInterrupted), settings);
            if (const std::shared_ptr<const HistoData> data = histoData(measured.get())) {
                run = plannedRun(data->lattice, data->views, kernel);
                run.arrays = 1 + !data->mult.empty() + !data->add.empty() + !data->att.empty();
            } else {
                run = plannedRun(*measured);
            }
            settings.subsets = subsetsOfRun(*measured, settings, run.views, *communicatorOfOne());
        } else {
            const Scanner scanner = Scanner::find(subject_);
            const std::vector<int> size = size_.empty() ? std::vector<int>{144, 144, 48} : size_;
            const std::vector<int> views = views_.empty() ? std::vector<int>{40, 3} : views_;
            run = plannedRun(Lattice::centred({size[0], size[1], size[2]}, {voxel_mm_, voxel_mm_, voxel_mm_}),
                             ViewGrid(views[0], views[1], scanner.acceptance_rad).views(), kernel);
            settings.subsets = subsetsOfRun(settings, counts_, run.lattice.voxels(), run.views);
        }
        const Algorithm& algorithm = *settings.algorithm;
        run.blocks = algorithm.grouping == Grouping::AllData ? 1
                     : settings.subsets > 0                  ? static_cast<std::size_t>(settings.subsets)
                                                             : run.views;
        if (run.blocks > run.views) {
            throw WrongUse("{} subsets of {} {}", run.blocks, run.views,
                           run.of == PlannedLines::None ? "views" : "parts");
        }
        run.blockSensitivities = algorithm.sensitivity == Sensitivity::OfBlock && run.blocks > 1;
        run.passes = static_cast<double>(algorithm.passes);
        run.images = algorithm.images + algorithm.imagesPerBlock * run.blocks;
        return run;
    }

    /// Empty for what is no data.
    [[nodiscard]] std::string systemOfDataOrNone() const {
        try {
            return systemOfData(subject_);
        } catch (const BadInput&) {
            return {};
        }
    }

    void print(Console& console, const PlannedRun& run, const std::vector<RankPlan>& plans) const {
        const double alone = plans.front().iteration_s;
        nlohmann::ordered_json rows = nlohmann::ordered_json::array();
        std::vector<std::vector<std::string>> table{{"ranks", "division", "GB each", "GB fed", "GB sent",
                                                     "compute s", "network s", "iteration s", "speed-up"}};
        for (const RankPlan& plan : plans) {
            rows.push_back({{"ranks", plan.ranks},
                            {"division", plan.division},
                            {"memory_bytes", plan.memoryBytes},
                            {"streamed_bytes", plan.streamedBytes},
                            {"sent_bytes", plan.sentBytes},
                            {"compute_s", plan.compute_s},
                            {"feed_s", plan.feed_s},
                            {"network_s", plan.network_s},
                            {"iteration_s", plan.iteration_s},
                            {"speed_up", alone / plan.iteration_s}});
            table.push_back(
                {std::to_string(plan.ranks), plan.division, fmt::format("{:.2f}", plan.memoryBytes / 1e9),
                 fmt::format("{:.2f}", plan.streamedBytes / 1e9), fmt::format("{:.3f}", plan.sentBytes / 1e9),
                 fmt::format("{:.4g}", plan.compute_s), fmt::format("{:.4g}", plan.network_s),
                 fmt::format("{:.4g}", plan.iteration_s), fmt::format("{:.2f}", alone / plan.iteration_s)});
        }
        if (console.json()) {
            console.resultAsJson({{"prediction", true},
                                  {"lattice", run.lattice.text()},
                                  {run.of == PlannedLines::None ? "views" : "parts", run.views},
                                  {"lines", run.lines},
                                  {"taps", run.taps},
                                  {"reach_planes", run.reach},
                                  {"blocks", run.blocks},
                                  {"plans", rows}});
            return;
        }
        if (run.of != PlannedLines::None) {
            console.note(
                fmt::format("predicted for {}, {:.4g} {} in {} parts, {} updates an iteration; nothing of it "
                            "was measured here",
                            run.lattice.text(), run.lines, run.of == PlannedLines::Bins ? "bins" : "lines",
                            run.views, run.blocks));
            console.result(textTable(table));
            return;
        }
        console.note(
            fmt::format("predicted for {}, {} views, {:.0f} taps that reach {} planes, {} updates an "
                        "iteration; nothing of it was measured here",
                        run.lattice.text(), run.views, run.taps, run.reach, run.blocks));
        console.result(textTable(table));
    }

    std::string subject_;
    int ranks_ = 8;
    std::vector<int> size_;
    std::vector<int> views_;
    double voxel_mm_ = 4;
    std::string kernel_ = "variant1";
    std::string algorithm_ = "osem";
    int subsets_ = 0;
    double counts_ = 1e8;
    std::string bench_;
    std::string engine_;
    PlanRates rates_;
    double latency_us_ = 1e6 * PlanRates().message_s;
    std::vector<std::pair<std::unique_ptr<double>, double*>> gigabytes_;
};

}  // namespace

std::unique_ptr<Command> makePlanCommand() {
    return std::make_unique<PlanCommand>();
}

}  // namespace tof
