// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/inline_runner.h"
#include "app/cli/output_check.h"
#include "app/cli/setting_options.h"
#include "recon/run/job_data.h"

namespace tof {

namespace {

/// ROIs for the figures of merit, when the data say what was measured and it has spheres.
std::optional<RoiSet> roisOf(const std::string& phantom) {
    if (phantom.empty()) {
        return std::nullopt;
    }
    try {
        return autoRois(phantom);
    } catch (const Error&) {
        return std::nullopt;  // a patient, say: there is nothing to place ROIs by
    }
}

class ReconstructCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("DATA", data_,
                             "Data file, as 'bin' or 'simulate' makes it, or a CASToR histogram (.cdh)");
        arguments.text("out", output_.runFile, "Run file to write", Need::Required);
        describeSettings(arguments, settings_);
        arguments.text("start", output_.startFile, "Start image instead of a uniform one");
        arguments.integer("save-every", output_.saveEvery, 1, 100000,
                          "Keep every n-th iterate, and the last");
        arguments.flag("resume", output_.resume,
                       "Continue from the checkpoint OUT.ckpt of an interrupted run");
    }

    void run(CommandContext& context) override {
        refuseSameFile(data_, output_.runFile);
        requireWritable(output_.runFile);
        static_cast<void>(
            context.engines.choose(settings_.get("engine")));  // a missing device is said at once
        output_.checkpointFile = output_.runFile + ".ckpt";
        const JobData data = readJobData(data_);
        ReconstructionJob job(data, settings_, context.engines, output_, roisOf(phantomOf(data)));
        InlineRunner runner(context.console);
        try {
            report(context.console, job.run(runner), runner);
        } catch (const Cancelled&) {
            throw Error(ExitCode::Interrupted, interrupted(runner));
        }
    }

  private:
    [[nodiscard]] std::string interrupted(const InlineRunner& runner) const {
        if (runner.lastIteration() == 0 && !output_.resume) {
            return "interrupted before the first iteration was complete; nothing is kept";
        }
        return fmt::format(
            "interrupted; {} keeps the last whole iteration, continue with the same command and "
            "--resume",
            output_.checkpointFile);
    }

    void report(Console& console, const ReconstructionJob::Result& result, const InlineRunner& runner) const {
        if (!console.json()) {
            console.note(
                fmt::format("{}: {} iterations by {}", output_.runFile, result.lastIteration, result.engine));
            console.result(runner.timingTable());
            return;
        }
        nlohmann::ordered_json stages;
        for (std::size_t i = 0; i < kStages; ++i) {
            stages[stageName(static_cast<Stage>(i))] = runner.stageSeconds()[i];
        }
        const nlohmann::ordered_json form{
            {"output", output_.runFile},
            {"iterations", result.lastIteration},
            {"engine", result.engine},
            {"seconds", runner.seconds()},
            {"stage_seconds", stages},
            {"settings", nlohmann::ordered_json::parse(settings_.toJson())},
            {"figures", nlohmann::ordered_json::parse(figuresToJson(runner.allFigures()))["iterations"]}};
        console.resultAsJson(form);
    }

    std::string data_;
    JobOutput output_;
    RunSettings settings_;
};

}  // namespace

std::unique_ptr<Command> makeReconstructCommand() {
    return std::make_unique<ReconstructCommand>();
}

}  // namespace tof
