// SPDX-License-Identifier: Apache-2.0
#include "recon/work/run_recorder.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tof {

namespace {

/// Figures of the iterates up to one: those of a later iterate never come to disk before its image.
std::vector<Figures> figuresUpTo(int iteration, std::vector<Figures> figures) {
    std::erase_if(figures, [&](const Figures& each) { return each.iteration > iteration; });
    return figures;
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
    }
    if (files_.runFile.empty()) {
        return;
    }
    writer_.emplace(files_.runFile, data_.lattice(), about_.description, data_.scannerJson(), data_.phantom(),
                    data_.totals());
    std::error_code ignored;
    if (earlier && std::filesystem::exists(files_.suspendedFile(), ignored)) {
        writer_->continueFrom(files_.suspendedFile());
    }
    if (earlier) {
        writer_->continueFrom(*earlier);
    }
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
        writer_->setMetrics(figuresJson(figures_).dump());
        writer_->finish();
    }
    std::error_code ignored;
    if (!files_.checkpointFile.empty()) {
        std::filesystem::remove(files_.checkpointFile, ignored);
        std::filesystem::remove(files_.suspendedFile(), ignored);
    }
}

void RunRecorder::suspend() {
    if (files_.checkpointFile.empty() || last_.iteration == 0) {
        return;
    }
    saveCheckpoint();
    if (writer_) {
        writer_->setMetrics(figuresJson(figuresUpTo(last_.iteration, figures_)).dump());
        writer_->suspendAs(files_.suspendedFile());
    }
}

void RunRecorder::iterateDone(Iterate iterate) {
    if (evaluator_) {
        const Figures figures = evaluator_->evaluate(iterate.iteration, iterate.image->data.data());
        figures_.push_back(figures);
        listener_.figures(figures);
    }
    const StoredIterate stored{iterate.iteration, iterate.stageSeconds, iterate.seconds, iterate.objective,
                               iterate.change};
    if (writer_) {
        const int every = std::max(files_.saveEvery, 1);
        writer_->addIterate(stored, iterate.image,
                            iterate.iteration % every == 0 || iterate.iteration == about_.iterations
                                ? KeepImage::Yes
                                : KeepImage::No);
    }
    history_.push_back(stored);
    last_ = iterate;
    listener_.memory(memory_());
    if (!files_.checkpointFile.empty() && Clock::now() - saved_ >= files_.checkpointInterval) {
        saveCheckpoint();
    }
    listener_.iterateDone(std::move(iterate));
}

void RunRecorder::saveCheckpoint() {
    Checkpoint checkpoint{about_.description, data_.hash(), last_.iteration, last_.image, history_};
    const std::vector<Figures> figures = figuresUpTo(last_.iteration, figures_);
    checkpoint.coefficients = last_.coefficients;
    checkpoint.metricsJson = figures.empty() ? std::string() : figuresJson(figures).dump();
    writeCheckpoint(files_.checkpointFile, checkpoint);
    saved_ = Clock::now();
}

}  // namespace tof
