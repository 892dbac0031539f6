// SPDX-License-Identifier: Apache-2.0
#include "recon/work/run_recorder.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tof {

struct MetricsLog::Rows {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
};

MetricsLog::MetricsLog() : rows_(std::make_unique<Rows>()) {}
MetricsLog::~MetricsLog() = default;

void MetricsLog::continueFrom(const std::string& earlierJson, int lastIteration) {
    if (earlierJson.empty()) {
        return;
    }
    const nlohmann::ordered_json earlier = nlohmann::ordered_json::parse(earlierJson, nullptr, false);
    if (!earlier.is_object() || !earlier.contains("iterations") || !earlier["iterations"].is_array()) {
        return;
    }
    for (const auto& row : earlier["iterations"]) {
        if (row.is_object() && row.value("iteration", lastIteration + 1) <= lastIteration) {
            rows_->json.push_back(row);
        }
    }
}

void MetricsLog::add(const Figures& figures) {
    rows_->json.push_back(nlohmann::ordered_json::parse(figuresToJson({figures}))["iterations"][0]);
}

bool MetricsLog::empty() const {
    return rows_->json.empty();
}

std::string MetricsLog::json() const {
    return nlohmann::ordered_json{{"iterations", rows_->json}}.dump();
}

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
        metrics_.continueFrom(earlier->metricsJson, earlier->iteration);
    }
    if (files_.runFile.empty()) {
        return;
    }
    writer_.emplace(files_.runFile, data_.lattice(), about_.description, data_.scannerJson(), data_.phantom(),
                    data_.totals());
    std::error_code ignored;
    if (earlier && std::filesystem::exists(files_.suspendedFile(), ignored)) {
        takeOver(earlier->iteration);
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
        writer_->setMetrics(metrics_.json());
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
        writer_->setMetrics(metrics_.json());
        writer_->suspendAs(files_.suspendedFile());
    }
}

void RunRecorder::iterateDone(Iterate iterate) {
    if (evaluator_) {
        const Figures figures = evaluator_->evaluate(iterate.iteration, iterate.image->data.data());
        metrics_.add(figures);
        listener_.figures(figures);
    }
    history_.push_back({iterate.iteration, iterate.stageSeconds, iterate.seconds});
    if (writer_) {
        const int every = std::max(files_.saveEvery, 1);
        writer_->addIterate(history_.back(), iterate.image,
                            iterate.iteration % every == 0 || iterate.iteration == about_.iterations
                                ? KeepImage::Yes
                                : KeepImage::No);
    }
    last_ = iterate;
    listener_.memory(memory_());
    if (!files_.checkpointFile.empty() && Clock::now() - saved_ >= files_.checkpointInterval) {
        saveCheckpoint();
    }
    listener_.iterateDone(std::move(iterate));
}

void RunRecorder::saveCheckpoint() {
    Checkpoint checkpoint{about_.description, data_.hash(), last_.iteration, last_.image, history_};
    checkpoint.metricsJson = metrics_.empty() ? std::string() : metrics_.json();
    writeCheckpoint(files_.checkpointFile, checkpoint);
    saved_ = Clock::now();
}

void RunRecorder::takeOver(int lastIteration) {
    if (metrics_.empty()) {  // a checkpoint of version 0.1's first builds
        metrics_.continueFrom(readRunSummary(files_.suspendedFile()).metricsJson, lastIteration);
    }
    writer_->continueFrom(files_.suspendedFile());
}

}  // namespace tof
