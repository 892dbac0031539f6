// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/follow_options.h"
#include "app/cli/inline_runner.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_check.h"
#include "app/cli/setting_options.h"
#include "app/cli/waking_engine.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/frames/frame_list.h"
#include "recon/io/format_table.h"
#include "recon/study/run_claim.h"
#include "recon/study/study.h"
#include "recon/study/study_lock.h"
#include "recon/work/anatomy.h"
#include "recon/work/dynamic_run.h"
#include "recon/work/frame_rows.h"
#include "recon/work/read_joined.h"
#include "recon/work/read_measurement.h"
#include "recon/work/read_share.h"
#include "recon/work/reconstruct.h"
#include "recon/work/resume.h"
#include "recon/work/stored_run.h"

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
        arguments.text("out", files_.runFile, "Run file to write; not needed with a study folder");
        describeSettings(arguments, settings_, &named_);
        arguments.text(
            "like", like_,
            "Settings of this run file (in a study also: its letter) but for the options given here");
        arguments.text("start", request_.startFile, "Start image instead of a uniform one");
        arguments.integer("save-every", files_.saveEvery, 1, 100000, "Keep every n-th iterate, and the last");
        arguments.integer(
            "replicates", request_.replicates, 0, 1000,
            "Reconstruct as many bootstrap replicates of histo-images, too: the run file gets the "
            "mean and standard deviation of their images and figures");
        arguments.rows(boundRows(frameRows(), asked_));
        arguments.text("dynamic", dynamic_,
                       "Image of the frames to write (.nii.gz with a sidecar of BIDS, .h5, .dicom): Bq/ml at "
                       "the start of "
                       "the scan where 'bin --nuclide' said what decays");
        arguments.text("fields", fields_,
                       "Table of the displacement fields of gates (gate, .mha or .nii file or 'none'): all "
                       "gates become one image, that of what nothing has moved");
        arguments.flag("beds", beds_,
                       "DATA is a table of beds (data file, position in mm): all become one long image");
        arguments.text("direct", direct_.folder,
                       "Folder for images of Patlak's Ki and Vb, which are reconstructed from the counts of "
                       "late frames in place of these frames (nested EM, Wang and Qi 2010)");
        arguments.text("direct-input", direct_.input,
                       "With --direct: blood samples, a table of PET BIDS (.tsv), as 'kinetics' takes it");
        arguments.text("direct-start", directStart_,
                       "With --direct: when the line begins, as 20min: frames that start then or later");
        arguments.integer("direct-updates", direct_.updates, 1, 100000,
                          "With --direct: updates of the parameters in an iteration");
        arguments.number("checkpoint-every", checkpointEvery_s_, 0, 86400,
                         "Seconds of iterations after which a checkpoint is written");
        arguments.flag("resume", resume_,
                       "Continue an interrupted run from its checkpoint, or one that has ended");
        arguments.flag(
            "queued", queued_,
            "Make the runs that wait in the queue of the study, in their order, with their settings "
            "but for the options given here");
        follow_.describe(arguments);
    }

    void run(CommandContext& context) override {
        files_.checkpointInterval = std::chrono::milliseconds(std::lround(1e3 * checkpointEvery_s_));
        request_.ranks = context.ranks;
        checkFollowing();
        if (queued_) {
            runQueue(context);
            return;
        }
        std::optional<RoiSet> rois;
        if (context.ranks->first()) {
            rois = prepare();
        }
        followFirst(*context.ranks);
        std::optional<WakingEngine> waking;
        if (context.ranks->alone()) {
            waking.emplace(context.engines, settings_.engine, settings_.engineOptions());
            waking->sayIfMissing();
        } else {
            static_cast<void>(context.engines.choose(settings_.engine));
        }
        settings_.keepKernel(
            systemOfData(beds_ ? readBedTable(data_).front().file : data_));  // or say that it is gone
        if (context.ranks->first()) {
            keepAnatomy(settings_, throwIfInterrupted);
        }
        std::string note;
        request_.data = read(context, note);
        if (!fields_.empty()) {
            request_.data = joinGates(request_.data, data_, fields_);
        }
        if (!note.empty()) {
            context.console.note(note);
        }
        request_.dataNote = note;
        request_.rois = rois ? std::move(rois) : roisOf(request_.data->phantom());
        if (waking) {
            static_cast<void>(waking->get());
        }
        const nlohmann::ordered_json form = makeRun(context);
        if (context.console.json()) {
            context.console.resultAsJson(form);
        }
    }

  private:
    void checkFollowing() const {
        follow_.check(data_);
        if (follow_.asked() &&
            (queued_ || resume_ || beds_ || !fields_.empty() || !request_.ranks->alone())) {
            throw WrongUse(
                "--follow makes one run of one list in one process; leave --queued, --resume, --beds, "
                "--fields and mpirun out");
        }
    }

    /// The data; of a list that is followed all that came.
    [[nodiscard]] std::shared_ptr<const Measurement> read(CommandContext& context, std::string& note) {
        if (follow_.asked()) {
            return follow_.follow(context, data_, settings_);
        }
        return beds_ ? readBeds(data_, note, throwIfInterrupted)
                     : readMeasurementOfRank(data_, settings_, *context.ranks, note, throwIfInterrupted);
    }

    /// What is decided by looking at files.
    std::optional<RoiSet> prepare() {
        std::optional<RoiSet> rois = chooseFiles();
        refuseSameFile(data_, files_.runFile);
        requireWritable(files_.runFile);
        if (!dynamic_.empty()) {
            requireWritable(dynamic_);
        }
        takeSettings();
        if (resume_) {
            request_.from = fs::exists(files_.runFile) ? lastKept() : files_.checkpointFile;
        }
        return rois;
    }

    /// The first rank has looked at files; the others do what it has found.
    void followFirst(Communicator& ranks) {
        const nlohmann::ordered_json mine{{"data", data_}, {"settings", settings_.json()}};
        const std::string theirs = ranks.ofFirst(ranks.first() ? jsonText(mine) : "");
        if (ranks.first()) {
            return;
        }
        const auto found = parseJson(theirs, "rank 0");
        data_ = found["data"];
        settings_ = RunSettings::fromJson(found["settings"], "rank 0");
    }

    /// One run; says in JSON, or on the console, how it went.
    nlohmann::ordered_json makeRun(CommandContext& context) {
        request_.log = context.log;
        request_.frames = framesAsked();
        InlineRunner runner(context.console);
        try {
            const ReconstructResult result = reconstruct(request_, context.engines, runner);
            if (result.frames > 0) {
                writeFrames(context.console);
            }
            return report(context.console, result, runner);
        } catch (const Cancelled&) {
            throw Error(ErrorKind::Cancelled, interrupted(runner));
        }
    }

    [[nodiscard]] bool asksForFrames() const {
        return !asked_.only.empty() || !dynamic_.empty() || !direct_.folder.empty() ||
               asked_.start != FrameStart::Uniform || asked_.temporal.prior != nullptr;
    }

    /// Throws WrongUse for options of frames that would do nothing.
    void requireHeard() const {
        const bool joint = asked_.temporal.prior != nullptr;
        const TemporalPrior usual;
        if (!joint && (asked_.temporal.gates != usual.gates || asked_.temporal.beta != usual.beta)) {
            throw WrongUse("--temporal-beta and --temporal-gates go with --temporal-prior; give it, too");
        }
        const bool ofFrames = joint || asked_.start != FrameStart::Uniform || !direct_.folder.empty();
        if (asked_.only == "sum" && ofFrames) {
            throw WrongUse(
                "'--only sum' leaves frames out; leave --temporal-prior, --frames-from and --direct out, "
                "too");
        }
    }

    [[nodiscard]] std::optional<FramesAsked> framesAsked() const {
        requireHeard();
        if (asked_.only == "sum") {
            if (!dynamic_.empty()) {
                throw WrongUse("--dynamic writes the frames that '--only sum' leaves out; give one of them");
            }
            return std::nullopt;
        }
        const bool joint = asked_.temporal.prior != nullptr;
        if (asksForFrames()) {
            requireFrames(*request_.data);
        }
        FramesAsked asked = asked_;
        if (!direct_.folder.empty()) {
            if (joint) {
                throw WrongUse("--direct joins frames by their parameters; leave --temporal-prior out");
            }
            asked.direct = directAsked();
        }
        return frameCount(*request_.data) > 0 ? std::optional(std::move(asked)) : std::nullopt;
    }

    [[nodiscard]] DirectPatlak directAsked() const {
        const std::optional<double> start_s = secondsFrom(directStart_);
        if (direct_.input.empty() || !start_s) {
            throw WrongUse(
                "--direct needs blood samples and when the line begins; give --direct-input FILE.tsv and "
                "--direct-start, as 20min");
        }
        if (!dynamic_.empty()) {
            throw WrongUse("--dynamic writes the frames that --direct leaves out; give one of them");
        }
        DirectPatlak asked = direct_;
        asked.start_s = *start_s;
        return asked;
    }

    void writeFrames(Console& console) const {
        if (!dynamic_.empty()) {
            if (const std::string note = writeDynamicRun(files_.runFile, {dynamic_, throwIfInterrupted});
                !note.empty()) {
                console.note(note);
            }
        }
    }

    /// A run that fails stays in the queue and does not keep the others from being made.
    void runQueue(CommandContext& context) {
        if (!context.ranks->alone()) {
            throw WrongUse("--queued makes its runs in one process; start it without mpirun");
        }
        if (fileKind(data_) != FileKind::Study || !files_.runFile.empty() || !like_.empty() || resume_) {
            throw WrongUse(
                "--queued takes names and settings from the queue of a study; give the study "
                "folder, without --out, --like and --resume");
        }
        Study study = openLocked(StudyLock::Use::Writes);
        const bool waits = !study.queue.empty();
        const std::string system = systemOfData(study.dataFile());
        nlohmann::ordered_json forms = nlohmann::ordered_json::array();
        const RunSettings given = settings_;
        std::optional<Error> failure;
        const auto attempt = [&](const QueuedRun& next, const auto& step) {
            try {
                step();
            } catch (const Error& fault) {
                if (fault.kind() == ErrorKind::Cancelled) {
                    throw;
                }
                failure.emplace(fault.kind(), fmt::format("run {}: {}", next.run, fault.what()));
                context.console.note(failure->what());
            }
        };
        std::vector<QueuedRun> usable;
        for (QueuedRun next : study.queue) {
            attempt(next, [&] {
                for (const std::string& key : named_) {
                    next.settings.set(key, given.get(key));
                }
                next.settings.keepKernel(system);
                keepAnatomy(next.settings, throwIfInterrupted);
                usable.push_back(next);
            });
        }
        if (!usable.empty()) {
            request_.data = readMeasurement(study.dataFile(), throwIfInterrupted);
            request_.rois = study.rois.rois.empty() ? roisOf(request_.data->phantom()) : study.rois;
        }
        for (const QueuedRun& next : usable) {
            attempt(next, [&] {
                settings_ = next.settings;
                forms.push_back(runNext(context, study, next));
            });
        }
        if (context.console.json()) {
            context.console.resultAsJson({{"study", study.name()}, {"runs", forms}});
        } else if (!waits) {
            context.console.result("no run waits");
        }
        if (failure) {
            throw Error(*failure);
        }
    }

    nlohmann::ordered_json runNext(CommandContext& context, Study& study, const QueuedRun& next) {
        files_.runFile = study.runFile(next.run);
        files_.checkpointFile = study.checkpointFile(next.run);
        request_.from = next.continues ? std::optional<ResumeFrom>(lastKept()) : std::nullopt;
        nlohmann::ordered_json form = makeRun(context);
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
        const bool joins = beds_ || !fields_.empty();
        if (joins && asksForFrames()) {
            throw WrongUse(
                "--fields and --beds make one image; leave --only, --dynamic, --frames-from, "
                "--temporal-prior and --direct out");
        }
        if (beds_ || fileKind(data_) != FileKind::Study) {
            if (files_.runFile.empty()) {
                throw WrongUse("--out is missing: the run file to write");
            }
            files_.checkpointFile = files_.runFile + ".ckpt";
            return std::nullopt;
        }
        if (joins) {
            throw WrongUse("{}: is a study, whose runs are of its data alone; give --fields the data file",
                           data_);
        }
        const Study study = openLocked(StudyLock::Use::AddsRuns);
        data_ = study.dataFile();
        if (!like_.empty() && !fs::exists(like_)) {
            like_ = describeRun(study, like_).file;
        }
        std::string run = fs::path(files_.runFile).stem().string();
        if (run.empty()) {
            discardLeftovers(study);
            claim_ = resume_ ? nullptr : RunClaim::next(study);
            run = resume_ ? interruptedIn(study) : claim_->run();
        }
        if (claim_ == nullptr) {
            claim_ = std::make_unique<RunClaim>(study, run);
        }
        files_.runFile = study.runFile(run);
        files_.checkpointFile = study.checkpointFile(run);
        return study.rois.rois.empty() ? std::nullopt : std::optional(study.rois);
    }

    static std::string interruptedIn(const Study& study) {
        const std::vector<std::string> runs = study.interruptedRuns();
        if (runs.size() != 1) {
            throw WrongUse("--resume: {} runs of the study were interrupted; say which by --out RUN",
                           runs.size());
        }
        return runs.front();
    }

    /// Settings of another run, or of the one that goes on, where no option says otherwise.
    void takeSettings() {
        std::string from = like_;
        if (from.empty() && resume_) {
            from = lastKept();
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

    /// What is left of a run that was interrupted, or else its run file.
    [[nodiscard]] std::string lastKept() const {
        return fs::exists(files_.checkpointFile) ? files_.checkpointFile : files_.runFile;
    }

    [[nodiscard]] std::string interrupted(const InlineRunner& runner) const {
        if (queued_) {
            const std::string run = fs::path(files_.runFile).stem().string();
            return runner.lastIteration() == 0 || request_.from
                       ? fmt::format("interrupted; run {} stays in the queue, go on with the same command",
                                     run)
                       : fmt::format(
                             "interrupted; run {} goes on with --out {} --resume, those behind it with "
                             "--queued",
                             run, run);
        }
        if (runner.lastIteration() == 0 && !request_.from) {
            return "interrupted before the first iteration was complete; nothing is kept";
        }
        if (follow_.asked()) {
            return follow_.countsFile().empty()
                       ? "interrupted; the counts are gone, give --counts to keep them"
                       : fmt::format("interrupted; go on with 'reconstruct {} --out {} --resume'",
                                     follow_.countsFile(), files_.runFile);
        }
        return fmt::format(
            "interrupted; {} keeps the last whole iteration, continue with the same command and "
            "--resume",
            files_.checkpointFile);
    }

    [[nodiscard]] nlohmann::ordered_json report(Console& console, const ReconstructResult& result,
                                                const InlineRunner& runner) const {
        // Made before anything is said: what is said to be done must not fail over its report.
        nlohmann::ordered_json stages;
        for (std::size_t i = 0; i < kStages; ++i) {
            stages[stageName(static_cast<Stage>(i))] = runner.stageSeconds()[i];
        }
        nlohmann::ordered_json made = {{"output", files_.runFile},
                                       {"iterations", result.lastIteration},
                                       {"engine", result.engine},
                                       {"ranks", request_.ranks->size()},
                                       {"seconds", runner.seconds()},
                                       {"replicates", request_.replicates},
                                       {"replicate_seconds", result.replicateSeconds},
                                       {"frames", result.frames},
                                       {"frame_seconds", result.frameSeconds},
                                       {"stage_seconds", stages},
                                       {"settings", settings_.json()},
                                       {"figures", figuresJson(runner.allFigures())["iterations"]}};
        if (!console.json()) {
            console.note(fmt::format(
                "{}: {} iterations by {}{}", files_.runFile, result.lastIteration, result.engine,
                request_.ranks->alone() ? "" : fmt::format(", {} ranks", request_.ranks->size())));
            console.result(runner.timingTable());
            if (request_.replicates > 0) {
                console.note(
                    fmt::format("{} replicates in {:.2f} s", request_.replicates, result.replicateSeconds));
            }
            if (request_.frames && request_.frames->direct) {
                console.note(fmt::format("{}: Ki and Vb", direct_.folder));
            } else if (request_.frames) {
                console.note(fmt::format("{} frames in {:.2f} s", result.frames, result.frameSeconds));
            }
        }
        return made;
    }

    std::string data_;
    std::string like_;
    FramesAsked asked_;
    std::string dynamic_;
    std::string fields_;
    bool beds_ = false;
    DirectPatlak direct_;
    std::string directStart_;
    std::vector<std::string> named_;  ///< settings that were given as options
    ReconstructRequest request_;
    RunFiles& files_ = request_.files;
    RunSettings& settings_ = request_.settings;
    double checkpointEvery_s_ = 5;
    bool resume_ = false;
    bool queued_ = false;
    FollowOptions follow_;
    std::optional<StudyLock> lock_;
    std::unique_ptr<RunClaim> claim_;  ///< the name of the run, while another program may add runs
};

}  // namespace

std::unique_ptr<Command> makeReconstructCommand() {
    return std::make_unique<ReconstructCommand>();
}

}  // namespace tof
