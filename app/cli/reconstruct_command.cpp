// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/inline_runner.h"
#include "app/cli/output_check.h"
#include "app/cli/setting_options.h"
#include "recon/io/file_kind.h"
#include "recon/run/continuation.h"
#include "recon/run/job_data.h"
#include "recon/run/stored_run.h"
#include "recon/run/study.h"

namespace tof {

namespace fs = std::filesystem;

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
        arguments.positional(
            "DATA", data_,
            "Data file, as 'bin' or 'simulate' makes it, a CASToR histogram (.cdh), or a study "
            "folder, which gets the run");
        arguments.text("out", output_.runFile, "Run file to write; not needed with a study folder");
        describeSettings(arguments, settings_, &named_);
        arguments.text(
            "like", like_,
            "Settings of this run file (in a study also: its letter) but for the options given here");
        arguments.text("start", output_.startFile, "Start image instead of a uniform one");
        arguments.integer("save-every", output_.saveEvery, 1, 100000,
                          "Keep every n-th iterate, and the last");
        arguments.flag("resume", output_.resume,
                       "Continue an interrupted run from its checkpoint, or one that has ended");
    }

    void run(CommandContext& context) override {
        std::optional<RoiSet> rois = chooseFiles();
        refuseSameFile(data_, output_.runFile);
        requireWritable(output_.runFile);
        takeSettings();
        static_cast<void>(
            context.engines.choose(settings_.get("engine")));  // a missing device is said at once
        if (output_.resume && !fs::exists(output_.checkpointFile) && fs::exists(output_.runFile)) {
            prepareContinuation(output_.runFile, output_);
        }
        const JobData data = readJobData(data_);
        ReconstructionJob job(data, settings_, context.engines, output_,
                              rois ? rois : roisOf(phantomOf(data)));
        InlineRunner runner(context.console);
        try {
            report(context.console, job.run(runner), runner);
        } catch (const Cancelled&) {
            throw Error(ExitCode::Interrupted, interrupted(runner));
        }
    }

  private:
    /// Names of data, run and checkpoint; the ROIs of a study.
    std::optional<RoiSet> chooseFiles() {
        if (fileKind(data_) != FileKind::Study) {
            if (output_.runFile.empty()) {
                throw WrongUse("--out is missing: the run file to write");
            }
            output_.checkpointFile = output_.runFile + ".ckpt";
            return std::nullopt;
        }
        const Study study = Study::open(data_);
        data_ = study.dataFile();
        if (!like_.empty() && !fs::exists(like_)) {
            like_ = describeRun(study, like_).file;
        }
        std::string run = fs::path(output_.runFile).stem().string();
        if (run.empty()) {
            run = output_.resume ? interruptedIn(study) : study.nextRunName();
        }
        output_.runFile = study.runFile(run);
        output_.checkpointFile = study.checkpointFile(run);
        return study.rois.rois.empty() ? std::nullopt : std::optional(study.rois);
    }

    static std::string interruptedIn(const Study& study) {
        const std::vector<std::string> runs = study.interruptedRuns();
        if (runs.size() != 1) {
            throw WrongUse(fmt::format(
                "--resume: {} runs of the study were interrupted; say which by --out RUN", runs.size()));
        }
        return runs.front();
    }

    /// Settings of another run, or of the one that goes on, where no option says otherwise.
    void takeSettings() {
        std::string from = like_;
        if (from.empty() && output_.resume) {
            from = fs::exists(output_.checkpointFile) ? output_.checkpointFile : output_.runFile;
        }
        if (from.empty() || (like_.empty() && !fs::exists(from))) {
            return;
        }
        RunSettings settings = describeRun(from).settings;
        for (const std::string& key : named_) {
            settings.set(key, settings_.get(key));
        }
        settings_ = settings;
    }

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
    std::string like_;
    std::vector<std::string> named_;  ///< settings that were given as options
    JobOutput output_;
    RunSettings settings_;
};

}  // namespace

std::unique_ptr<Command> makeReconstructCommand() {
    return std::make_unique<ReconstructCommand>();
}

}  // namespace tof
