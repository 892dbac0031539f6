// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/rank_commands.h"
#include "app/cli/sweep_page.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/sources/sensitivity_cache.h"
#include "recon/study/run_claim.h"
#include "recon/study/study_lock.h"
#include "recon/work/read_measurement.h"
#include "recon/work/resume.h"
#include "recon/work/sweep.h"

namespace tof {

namespace fs = std::filesystem;

namespace {

/// Signals stop the run at hand, which leaves its checkpoint.
class Interruptible : public JobListener {
  public:
    void checkpoint() override { throwIfInterrupted(); }
};

class SweepCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("SPEC", spec_, "JSON file: data, settings, and what varies");
        arguments.integer("only", only_, 0, 100000, "Make this run alone, from 1; 0: all that are not there");
        arguments.flag("table", tableOnly_,
                       "Make no run: write the table and the page of those that are there");
        arguments.flag("print-slurm", slurm_, "Print the runs as a job array for sbatch, and make none");
        arguments.number("checkpoint-every", checkpointEvery_s_, 0, 86400,
                         "Seconds of iterations after which a checkpoint is written");
    }

    void run(CommandContext& context) override {
        const Sweep sweep = readSweep(spec_);
        if (only_ > static_cast<int>(sweep.runs.size())) {
            throw WrongUse("--only {}: the sweep has {} runs", only_, sweep.runs.size());
        }
        if (slurm_) {
            context.console.result(slurmScript(sweep, spec_, "tofscope-cli"));
            return;
        }
        Communicator& ranks = *context.ranks;
        const bool first = ranks.first();
        std::optional<Study> study;
        if (first) {
            study = studyOf(sweep, throwIfInterrupted);
        }
        ranks.barrier();
        if (!first) {
            study = Study::open(sweep.folder);
        }
        if (!tableOnly_) {
            const StudyLock lock(sweep.folder, StudyLock::Use::AddsRuns);
            if (first) {
                discardLeftovers(*study);
            }
            makeRuns(context, sweep, *study);
        }
        if (ranks.any(failure_.has_value()) && !failure_) {
            failure_.emplace(ErrorKind::Internal, "");
        }
        if (first && only_ == 0) {
            nameRuns(sweep);
            report(context.console, sweep, *study);
        }
        ranks.barrier();
        if (failure_ && !std::string(failure_->what()).empty()) {
            throw Error(*failure_);
        }
    }

  private:
    /// Those of this process: every n-th of the runs that are not there. A run that fails does not keep the
    /// others from being made.
    void makeRuns(CommandContext& context, const Sweep& sweep, const Study& study) {
        const auto step = static_cast<std::size_t>(context.ranks->size());
        const auto mine = static_cast<std::size_t>(context.ranks->rank());
        std::vector<std::size_t> wanted;
        for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
            const bool asked = only_ == 0 || i + 1 == static_cast<std::size_t>(only_);
            if (asked && !isDone(study, sweep.runs[i], {}, throwIfInterrupted)) {
                wanted.push_back(i);
            }
        }
        if (mine < wanted.size()) {
            // What is there already must have been made from the data that the others are made from.
            data_ = readMeasurement(study.dataFile(), throwIfInterrupted);
            for (const SweepRun& run : sweep.runs) {
                static_cast<void>(isDone(study, run, data_->hash(), throwIfInterrupted));
            }
        }
        context.ranks->barrier();  // all have looked before one begins
        for (std::size_t k = mine; k < wanted.size(); k += step) {
            const SweepRun& next = sweep.runs[wanted[k]];
            try {
                const RunClaim claim(study, next.name);
                if (!isDone(study, next, {}, throwIfInterrupted)) {  // by another program since
                    makeRun(context, study, next);
                }
            } catch (const Cancelled&) {
                throw Error(ErrorKind::Cancelled,
                            "interrupted; the runs that are done stay, the same command goes on");
            } catch (const Error& fault) {
                failure_.emplace(fault.kind(), fmt::format("run {}: {}", next.name, fault.what()));
                context.console.note(failure_->what());
            }
        }
    }

    void makeRun(CommandContext& context, const Study& study, const SweepRun& run) {
        ReconstructRequest request;
        request.data = replicateOf(data_, run);
        request.settings = run.settings;
        request.files.runFile = study.runFile(run.name);
        request.files.checkpointFile = study.checkpointFile(run.name);
        request.files.checkpointInterval = std::chrono::milliseconds(std::lround(1e3 * checkpointEvery_s_));
        if (fs::exists(request.files.checkpointFile)) {
            request.from = request.files.checkpointFile;
        } else if (fs::exists(request.files.runFile)) {
            request.from = request.files.runFile;  // the run file has fewer iterations
        }
        request.rois = roisOf(study, *data_);
        request.sensitivities = sensitivities_;
        request.log = context.log;
        Interruptible listener;
        const ReconstructResult result = reconstruct(request, context.engines, listener);
        context.console.note(fmt::format("run {} ({}): {} iterations by {}", run.name, run.label,
                                         result.lastIteration, result.engine));
    }

    static std::optional<RoiSet> roisOf(const Study& study, const Measurement& data) {
        if (!study.rois.rois.empty()) {
            return study.rois;
        }
        try {
            return data.phantom().empty() ? std::optional<RoiSet>() : autoRois(data.phantom());
        } catch (const Error&) {
            return std::nullopt;  // nothing to place ROIs by
        }
    }

    /// The window shows what each run is. While it has the study open it alone writes there, and the names
    /// wait.
    static void nameRuns(const Sweep& sweep) {
        try {
            const StudyLock lock(sweep.folder, StudyLock::Use::Writes);
            Study study = Study::open(sweep.folder);
            for (const SweepRun& run : sweep.runs) {
                if (isDone(study, run, {}, throwIfInterrupted) && study.givenName(run.name).empty()) {
                    study.rename(run.name, run.label);
                }
            }
            study.save();
        } catch (const CannotWrite&) {
            // Named by the next call.
        }
    }

    void report(Console& console, const Sweep& sweep, const Study& study) {
        const std::vector<SweepRow> rows = tableOf(sweep, study, throwIfInterrupted);
        const std::string csv = (fs::path(sweep.folder) / "sweep.csv").string();
        const std::string page = (fs::path(sweep.folder) / "sweep.html").string();
        writeTextAside(csv, tableAsCsv(sweep, rows));
        writeTextAside(page, sweepPage(sweep, study, rows));
        if (console.json()) {
            console.resultAsJson({{"study", sweep.folder},
                                  {"runs", sweep.runs.size()},
                                  {"table", csv},
                                  {"page", page},
                                  {"rows", tableAsJson(sweep, rows)}});
        } else {
            console.result(tableAsCsv(sweep, rows));
            console.note(fmt::format("{}: the comparison", page));
        }
    }

    std::string spec_;
    int only_ = 0;
    bool tableOnly_ = false;
    bool slurm_ = false;
    double checkpointEvery_s_ = 5;
    std::shared_ptr<const Measurement> data_;
    std::shared_ptr<SensitivityCache> sensitivities_ = std::make_shared<SensitivityCache>();
    std::optional<Error> failure_;
};

}  // namespace

std::unique_ptr<Command> makeSweepCommand() {
    return std::make_unique<SweepCommand>();
}

}  // namespace tof
