// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/inline_runner.h"
#include "app/cli/output_check.h"
#include "app/cli/setting_options.h"
#include "recon/io/file_kind.h"
#include "recon/study/continuation.h"
#include "recon/study/stored_run.h"
#include "recon/study/study.h"
#include "recon/study/study_lock.h"
#include "recon/work/logged_run.h"
#include "recon/work/read_measurement.h"

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
        arguments.flag(
            "queued", queued_,
            "Make the runs that wait in the queue of the study, in their order, with their settings "
            "but for the options given here");
    }

    void run(CommandContext& context) override {
        if (queued_) {
            runQueue(context);
            return;
        }
        std::optional<RoiSet> rois = chooseFiles();
        refuseSameFile(data_, output_.runFile);
        requireWritable(output_.runFile);
        takeSettings();
        static_cast<void>(context.engines.choose(settings_.engine));  // a missing device is said at once
        if (output_.resume && !fs::exists(output_.checkpointFile) && fs::exists(output_.runFile)) {
            prepareContinuation(output_.runFile, output_);
        }
        const nlohmann::ordered_json form = reconstruct(context, readMeasurement(data_), rois);
        if (context.console.json()) {
            context.console.resultAsJson(form);
        }
    }

  private:
    /// One run; says in JSON, or on the console, how it went.
    nlohmann::ordered_json reconstruct(CommandContext& context,
                                       const std::shared_ptr<const Measurement>& data,
                                       const std::optional<RoiSet>& rois) {
        ReconstructionJob job(data, settings_, context.engines, output_,
                              rois ? rois : roisOf(data->phantom()));
        InlineRunner runner(context.console);
        try {
            return report(context.console, runLogged(job, settings_, runner, *context.log), runner);
        } catch (const Cancelled&) {
            throw Error(ErrorKind::Cancelled, interrupted(runner));
        }
    }

    /// A run that fails stays in the queue and does not keep the others from being made.
    void runQueue(CommandContext& context) {
        if (fileKind(data_) != FileKind::Study || !output_.runFile.empty() || !like_.empty() ||
            output_.resume) {
            throw WrongUse(
                "--queued takes names and settings from the queue of a study; give the study "
                "folder, without --out, --like and --resume");
        }
        Study study = openLocked(StudyLock::Use::Writes);
        const std::vector<QueuedRun> waiting = study.queue;
        const std::shared_ptr<const Measurement> data = readMeasurement(study.dataFile());
        const std::optional<RoiSet> rois = study.rois.rois.empty() ? std::nullopt : std::optional(study.rois);
        nlohmann::ordered_json forms = nlohmann::ordered_json::array();
        const RunSettings given = settings_;
        std::optional<Error> failure;
        for (const QueuedRun& next : waiting) {
            try {
                settings_ = next.settings;
                for (const std::string& key : named_) {
                    settings_.set(key, given.get(key));
                }
                forms.push_back(runNext(context, study, next, data, rois));
            } catch (const Error& fault) {
                if (fault.kind() == ErrorKind::Cancelled) {
                    throw;
                }
                failure.emplace(fault.kind(), fmt::format("run {}: {}", next.run, fault.what()));
                context.console.note(failure->what());
            }
        }
        if (context.console.json()) {
            context.console.resultAsJson({{"study", study.name()}, {"runs", forms}});
        } else if (waiting.empty()) {
            context.console.result("no run waits");
        }
        if (failure) {
            throw Error(*failure);
        }
    }

    nlohmann::ordered_json runNext(CommandContext& context, Study& study, const QueuedRun& next,
                                   const std::shared_ptr<const Measurement>& data,
                                   const std::optional<RoiSet>& rois) {
        output_.runFile = study.runFile(next.run);
        output_.checkpointFile = study.checkpointFile(next.run);
        output_.resume = next.continues;
        static_cast<void>(context.engines.choose(settings_.engine));
        if (output_.resume && !fs::exists(output_.checkpointFile)) {
            prepareContinuation(output_.runFile, output_);
        }
        nlohmann::ordered_json form = reconstruct(context, data, rois);
        study.queue.erase(study.queue.begin() + study.placeInQueue(next.run));
        study.save();
        return form;
    }

    /// The study, kept from other programs until this one ends.
    Study openLocked(StudyLock::Use use) {
        static_cast<void>(Study::open(data_));  // a folder that is no study gets no lock
        lock_.emplace(data_, use);
        return Study::open(data_);
    }

    /// Names of data, run and checkpoint; the ROIs of a study.
    std::optional<RoiSet> chooseFiles() {
        if (fileKind(data_) != FileKind::Study) {
            if (output_.runFile.empty()) {
                throw WrongUse("--out is missing: the run file to write");
            }
            output_.checkpointFile = output_.runFile + ".ckpt";
            return std::nullopt;
        }
        const Study study = openLocked(StudyLock::Use::AddsRuns);
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
        RunSettings settings = describeRun(from).made.settings;
        for (const std::string& key : named_) {
            settings.set(key, settings_.get(key));
        }
        settings_ = settings;
    }

    [[nodiscard]] std::string interrupted(const InlineRunner& runner) const {
        if (queued_) {
            const std::string run = fs::path(output_.runFile).stem().string();
            return runner.lastIteration() == 0 || output_.resume
                       ? fmt::format("interrupted; run {} stays in the queue, go on with the same command",
                                     run)
                       : fmt::format(
                             "interrupted; run {} goes on with --out {} --resume, those behind it with "
                             "--queued",
                             run, run);
        }
        if (runner.lastIteration() == 0 && !output_.resume) {
            return "interrupted before the first iteration was complete; nothing is kept";
        }
        return fmt::format(
            "interrupted; {} keeps the last whole iteration, continue with the same command and "
            "--resume",
            output_.checkpointFile);
    }

    [[nodiscard]] nlohmann::ordered_json report(Console& console, const ReconstructionJob::Result& result,
                                                const InlineRunner& runner) const {
        if (!console.json()) {
            console.note(
                fmt::format("{}: {} iterations by {}", output_.runFile, result.lastIteration, result.engine));
            console.result(runner.timingTable());
        }
        nlohmann::ordered_json stages;
        for (std::size_t i = 0; i < kStages; ++i) {
            stages[stageName(static_cast<Stage>(i))] = runner.stageSeconds()[i];
        }
        return {{"output", output_.runFile},
                {"iterations", result.lastIteration},
                {"engine", result.engine},
                {"seconds", runner.seconds()},
                {"stage_seconds", stages},
                {"settings", nlohmann::ordered_json::parse(settings_.toJson())},
                {"figures", nlohmann::ordered_json::parse(figuresToJson(runner.allFigures()))["iterations"]}};
    }

    std::string data_;
    std::string like_;
    std::vector<std::string> named_;  ///< settings that were given as options
    JobOutput output_;
    RunSettings settings_;
    bool queued_ = false;
    std::optional<StudyLock> lock_;
};

}  // namespace

std::unique_ptr<Command> makeReconstructCommand() {
    return std::make_unique<ReconstructCommand>();
}

}  // namespace tof
