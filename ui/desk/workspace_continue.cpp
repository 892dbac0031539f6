// SPDX-License-Identifier: Apache-2.0
// Runs that go on after they have ended, or after the program has.
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include "recon/base/error.h"
#include "recon/study/continuation.h"
#include "ui/desk/workspace.h"

namespace tof::ui {

QString Workspace::whyNotContinue(const RunItem& item) const {
    if (!jobData_) {
        return tr("Open the data that the run was made from first");
    }
    if (item.isVolume) {
        return tr("A volume has no iterations");
    }
    if (item.isLive) {
        return tr("Live tuning rewrites this run; Run (F5) makes one of its settings");
    }
    if (isActive(item.state) || item.state == RunState::Queued) {
        return tr("The run has not ended yet");
    }
    if (item.iterates().empty()) {
        return tr("The run has no whole iterate");
    }
    if (!(item.lattice == latticeOf(*jobData_))) {
        return tr("The run is on another lattice than the open data");
    }
    return {};
}

void Workspace::continueRun(int id, int more) {
    RunItem* item = runs_.find(id);
    const QString why = item == nullptr ? tr("there is no such run") : whyNotContinue(*item);
    if (!why.isEmpty()) {
        throw WrongUse(tr("run cannot be continued: %1").arg(why).toStdString());
    }
    const bool checkpoint =
        item->state == RunState::Interrupted && study_ &&
        QFile::exists(QString::fromStdString(study_->checkpointFile(item->label.toStdString())));
    item->before = checkpoint ? 0 : item->iterates().back();
    const int last = std::max(item->iterates().back(), item->lastIterate());
    const int wanted = more > 0 ? last + more : item->settings.iterations;
    // A program that was killed at the very end has left a whole run that only has to be written.
    if (wanted < last || (wanted == last && !checkpoint)) {
        throw WrongUse(
            tr("run %1 has all of its iterations; say how many more").arg(item->label).toStdString());
    }
    item->settings.set("iterations", std::to_string(wanted));
    item->resume = true;
    enqueue(*item);
    item->error.clear();
    item->shown = 0;
    item->progress.iterations = wanted;
    runs_.touch();
    pump();
}

JobOutput Workspace::outputOf(const RunItem& item) {
    JobOutput output;
    output.background = true;
    output.sensitivities = sensitivities_;
    output.resume = item.resume;
    if (writesStudy()) {
        output.runFile = study_->runFile(item.label.toStdString());
        output.checkpointFile = study_->checkpointFile(item.label.toStdString());
    } else if (item.resume) {
        if (checkpoints_ == nullptr) {
            checkpoints_ = std::make_unique<QTemporaryDir>();
        }
        output.checkpointFile = checkpoints_->filePath(QString::number(item.id) + ".ckpt").toStdString();
    }
    return output;
}

std::function<void()> Workspace::preparationOf(const RunItem& item, const JobOutput& output) const {
    if (!item.resume || (item.before == 0 && writesStudy())) {
        return {};  // new, or its checkpoint is there
    }
    if (item.before == 0) {
        return [from = study_->checkpointFile(item.label.toStdString()), output] {
            writeCheckpoint(output.checkpointFile, readCheckpoint(from));
        };
    }
    if (!item.file.isEmpty() && !item.imagesOnDisk.empty() && item.imagesOnDisk.back() == item.before) {
        return [file = item.file.toStdString(), output] { prepareContinuation(file, output); };
    }
    const QJsonObject described{
        {"settings", QJsonDocument::fromJson(QByteArray::fromStdString(item.settings.toJson())).object()}};
    Checkpoint checkpoint;
    checkpoint.settingsJson = QJsonDocument(described).toJson(QJsonDocument::Compact).toStdString();
    checkpoint.dataHash = hashOf(*jobData_);
    checkpoint.iteration = item.before;
    checkpoint.image = item.images.at(item.before);
    for (const StoredIterate& iterate : item.timing) {
        if (iterate.iteration <= item.before) {
            checkpoint.history.push_back(iterate);
        }
    }
    return [checkpoint, file = output.checkpointFile] { writeCheckpoint(file, checkpoint); };
}

void Workspace::forgetContinuation(RunItem& item) {
    if (!item.resume) {
        return;
    }
    item.resume = false;
    if (item.before == 0) {
        item.state = RunState::Interrupted;  // its checkpoint is still there
        return;
    }
    // What was there before stays; what came since goes.
    item.state = RunState::Finished;
    const auto later = [&](int iteration) { return iteration > item.before; };
    std::erase_if(item.images, [&](const auto& entry) { return later(entry.first); });
    std::erase_if(item.timing, [&](const auto& entry) { return later(entry.iteration); });
    std::erase_if(item.figures, [&](const auto& entry) { return later(entry.iteration); });
    item.settings.iterations = item.before;
    item.shown = 0;
}

RunItem& Workspace::addInterrupted(const QString& label, InterruptedRun& run) {
    const int last = run.iteration;
    RunItem& item = runs_.add(QString::fromStdString(runName(run.made.settings, run.made.data)), label);
    item.state = RunState::Interrupted;
    item.settings = run.made.settings;
    item.engine = QString::fromStdString(run.made.engine);
    item.lattice = run.image->lattice;
    item.units = QString::fromStdString(run.image->units);
    item.dataHash = run.made.dataHash;
    item.timing = std::move(run.history);
    item.progress = {last, run.made.settings.iterations, 0, 1};
    item.images[last] = std::move(run.image);
    item.figures = figuresFromJson(run.metricsJson);
    if (item.figures.empty() && !rois_.isEmpty()) {
        const auto& image = item.images[last];
        item.figures.push_back(evaluator(image->lattice).evaluate(last, image->data.data()));
    }
    item.roiRevision = figuresAreOfRois(item) ? rois_.revision() : 0;
    return item;
}

int Workspace::adoptRecovered(const QString& label, const QString& name, InterruptedRun run) {
    const auto& items = runs_.items();
    const bool taken =
        std::any_of(items.begin(), items.end(), [&](const auto& other) { return other->label == label; });
    RunItem& item = addInterrupted(taken ? QString() : label, run);
    if (item.lastIterate() >= item.progress.iterations) {
        item.state = RunState::Done;
    }
    if (name != item.name) {
        runs_.rename(item.id, name);
    }
    runs_.select(item.id);
    return item.id;
}

}  // namespace tof::ui
