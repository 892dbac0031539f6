// SPDX-License-Identifier: Apache-2.0
#include "recon/work/run_recorder.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "recon/base/json_text.h"

namespace tof {

namespace {

/// Images that wait for the journal take this much memory at most.
constexpr std::uint64_t kMostWaiting = 256 << 20;
/// An end within a second has no time to bring more than one image of this size to the disk.
constexpr std::uint64_t kLargeImage = 32 << 20;
/// Large images are saved as they come, but for a rest of so many times what the last one took.
constexpr int kRestPerSaving = 4;

/// Figures of the iterates up to one: those of a later iterate never come to disk before its image.
std::vector<Figures> figuresUpTo(int iteration, std::vector<Figures> figures) {
    std::erase_if(figures, [&](const Figures& each) { return each.iteration > iteration; });
    return figures;
}

template <class Each>
std::vector<Each> lastOf(const std::vector<Each>& all) {
    return all.empty() ? all : std::vector<Each>{all.back()};
}

}  // namespace

RunRecorder::RunRecorder(JobListener& listener, const Measurement& data, const RunFiles& files, About about,
                         std::optional<FigureEvaluator> evaluator, std::function<RunMemory()> memory)
    : listener_(listener),
      data_(data),
      files_(files),
      about_(std::move(about)),
      evaluator_(std::move(evaluator)),
      memory_(std::move(memory)) {}

void RunRecorder::open(const std::optional<Checkpoint>& earlier) {
    if (earlier) {
        history_ = earlier->history;
        figures_ = figuresUpTo(earlier->iteration, figuresFromJson(earlier->metricsJson));
        last_.iteration = earlier->iteration;
        last_.image = earlier->image;
        last_.coefficients = earlier->coefficients;
        begun_ = earlier->frames;
    }
    if (files_.runFile.empty()) {
        return;
    }
    writer_.emplace(files_.runFile, data_.lattice(), about_.description, data_.scannerJson(), data_.phantom(),
                    data_.totals());
    openJournal(earlier);
    std::error_code ignored;
    if (earlier && std::filesystem::exists(files_.suspendedFile(), ignored)) {
        writer_->continueFrom(files_.suspendedFile());
    }
    if (earlier) {
        takeOver(*earlier);
    }
}

void RunRecorder::openJournal(const std::optional<Checkpoint>& earlier) {
    if (files_.checkpointFile.empty()) {
        return;
    }
    journal_.emplace(journalOf(files_.checkpointFile), data_.lattice(), earlier ? earlier->iteration : 0);
    beginsAnew_ = !earlier;
}

void RunRecorder::takeOver(const Checkpoint& earlier) {
    const int noted = journal_ && !journal_->iterates().empty() ? journal_->iterates().back().iteration : 0;
    for (const StoredIterate& iterate : earlier.history) {
        const bool isLast = iterate.iteration == earlier.iteration;
        std::shared_ptr<const Volume> kept = journal_ ? journal_->imageOf(iterate.iteration) : nullptr;
        if (iterate.iteration > writer_->lastIteration()) {  // not in the run that this one goes on from
            if (isLast && iterate.iteration > noted) {
                kept = earlier.image;  // nothing says otherwise
            }
            writer_->addIterate(iterate, kept == nullptr && isLast ? earlier.image : kept,
                                kept != nullptr ? KeepImage::Yes : KeepImage::No);
        }
        if (journal_ && iterate.iteration > noted) {
            journal_->add(iterate, figuresOf(iterate.iteration), kept);
        }
    }
}

std::optional<Figures> RunRecorder::figuresOf(int iteration) const {
    const auto found = std::find_if(figures_.begin(), figures_.end(),
                                    [&](const Figures& each) { return each.iteration == iteration; });
    return found == figures_.end() ? std::nullopt : std::optional(*found);
}

void RunRecorder::addFrame(const RunFrame& frame, const Volume& image) {
    if (writer_) {
        writer_->addFrame(frame, image);
    }
    if (journal_) {
        journal_->add(frame, image);
        unsaved_ = true;
        saveWhenDue();
    }
}

bool RunRecorder::hasFrame(const RunFrame& frame) const {
    return (journal_ && journal_->has(frame)) || (writer_ && writer_->hasFrame(frame));
}

bool RunRecorder::takeFrame(const RunFrame& frame) {
    if (const auto image = journal_ ? journal_->imageOf(frame) : nullptr) {
        writer_->addFrame(frame, *image);
        return true;
    }
    return writer_ && writer_->takeFrame(frame);
}

std::optional<FrameBegun> RunRecorder::takeBegun(const RunFrame& frame) const {
    const auto found = std::find_if(begun_.begin(), begun_.end(),
                                    [&](const FrameBegun& each) { return each.frame == frame; });
    return found == begun_.end() ? std::nullopt : std::optional(*found);
}

void RunRecorder::addReplicates(const Replicates& replicates) {
    if (!writer_) {
        return;
    }
    const int every = std::max(files_.saveEvery, 1);
    for (int iteration = 1; iteration <= replicates.iterations(); ++iteration) {
        if (iteration % every == 0 || iteration == replicates.iterations()) {
            writer_->addReplicates(iteration, replicates.mean(iteration), replicates.sd(iteration));
        }
    }
    writer_->setBands(replicates.bandsJson());
}

void RunRecorder::close() {
    if (writer_) {
        if (last_.coefficients != nullptr) {
            writer_->addCoefficients(*last_.coefficients);
        }
        writer_->setMetrics(jsonText(figuresJson(figures_)));
        writer_->finish();
    }
    std::error_code ignored;
    journal_.reset();  // its thread would make the file again
    if (!files_.checkpointFile.empty()) {
        std::filesystem::remove(files_.checkpointFile, ignored);
        std::filesystem::remove(files_.suspendedFile(), ignored);
        std::filesystem::remove(journalOf(files_.checkpointFile), ignored);
    }
}

void RunRecorder::suspend() {
    if (files_.checkpointFile.empty() || last_.iteration == 0 || !unsaved_) {
        return;
    }
    saveCheckpoint();
}

void RunRecorder::iterateDone(Iterate iterate) {
    if (evaluator_) {
        const Figures figures = evaluator_->evaluate(iterate.iteration, iterate.image->data.data());
        figures_.push_back(figures);
        listener_.figures(figures);
    }
    const StoredIterate stored{iterate.iteration, iterate.stageSeconds, iterate.seconds, iterate.objective,
                               iterate.change};
    const int every = std::max(files_.saveEvery, 1);
    const bool kept = iterate.iteration % every == 0 || iterate.iteration == about_.iterations;
    if (writer_) {
        writer_->addIterate(stored, iterate.image, kept ? KeepImage::Yes : KeepImage::No);
    }
    if (journal_) {
        journal_->add(stored, figuresOf(stored.iteration), kept ? iterate.image : nullptr);
    }
    history_.push_back(stored);
    last_ = iterate;
    unsaved_ = true;
    listener_.memory(memory_());
    saveWhenDue();
    listener_.iterateDone(std::move(iterate));
}

void RunRecorder::saveWhenDue() {
    if (files_.checkpointFile.empty()) {
        return;
    }
    const bool full = journal_ && journal_->waitingBytes() > kMostWaiting;
    const bool large = last_.image != nullptr && last_.iteration < about_.iterations &&
                       last_.image->data.size() * sizeof(float) > kLargeImage;
    const Clock::duration most = large ? kRestPerSaving * savingTook_ : Clock::duration::max();
    if (full || Clock::now() - saved_ >= std::min<Clock::duration>(files_.checkpointInterval, most)) {
        saveCheckpoint();
    }
    if (journal_ && !beginsAnew_) {
        journal_->saveBeside();
    }
}

void RunRecorder::saveCheckpoint() {
    const Clock::time_point begun = Clock::now();
    leavingNoJournalAlone(files_.checkpointFile, [this] { writeJournalAndCheckpoint(); });
    saved_ = Clock::now();
    savingTook_ = saved_ - begun;
    unsaved_ = false;
}

void RunRecorder::writeJournalAndCheckpoint() {
    Checkpoint checkpoint{about_.description, data_.hash(), last_.iteration, last_.image, {}};
    checkpoint.coefficients = last_.coefficients;
    checkpoint.frames = begun_;
    if (journal_) {
        if (std::exchange(beginsAnew_, false)) {
            std::error_code ignored;  // what stands there is another run's, and its journal goes
            std::filesystem::remove(files_.checkpointFile, ignored);
        }
        journal_->save();
    }
    // The journal has all but perhaps the last one.
    checkpoint.history = journal_ ? lastOf(history_) : history_;
    const std::vector<Figures> figures = figuresUpTo(last_.iteration, figures_);
    checkpoint.metricsJson = jsonText(figuresJson(journal_ ? lastOf(figures) : figures));
    writeCheckpoint(files_.checkpointFile, checkpoint);
}

}  // namespace tof
