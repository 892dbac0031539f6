// SPDX-License-Identifier: Apache-2.0
// Runs that go on after they have ended, or after the program has.
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include "recon/base/error.h"
#include "recon/study/continuation.h"
#include "recon/work/systems.h"
#include "ui/desk/workspace.h"

namespace tof::ui {

QString Workspace::whyNotContinue(const RunItem& item) const {
    if (!measurement_) {
        return tr("Open the data that the run was made from first");
    }
    if (item.isVolume()) {
        return tr("A volume has no iterations");
    }
    if (item.isLive()) {
        return tr("Live tuning rewrites this run; Run (F5) makes one of its settings");
    }
    if (isActive(item.state()) || item.state() == RunState::Queued) {
        return tr("The run has not ended yet");
    }
    if (item.iterates().empty()) {
        return tr("The run has no whole iterate");
    }
    if (!(item.lattice() == measurement_->lattice())) {
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
        item->state() == RunState::Interrupted && study_ &&
        QFile::exists(QString::fromStdString(study_->checkpointFile(item->label().toStdString())));
    const int last = std::max(item->iterates().back(), item->lastIterate());
    const int wanted = more > 0 ? last + more : item->settings().iterations;
    // A program that was killed at the very end has left a whole run that only has to be written.
    if (wanted < last || (wanted == last && !checkpoint)) {
        throw WrongUse(
            tr("run %1 has all of its iterations; say how many more").arg(item->label()).toStdString());
    }
    RunSettings settings = item->settings();
    settings.iterations = wanted;
    item->planMore(settings, checkpoint ? 0 : item->iterates().back());
    enqueue(*item);
    runs_.touch();
    pump();
}

JobOutput Workspace::outputOf(const RunItem& item) {
    JobOutput output;
    output.background = true;
    output.sensitivities = sensitivities_;
    output.resume = item.resumes();
    if (writesStudy()) {
        output.runFile = study_->runFile(item.label().toStdString());
        output.checkpointFile = study_->checkpointFile(item.label().toStdString());
    } else if (item.resumes()) {
        if (checkpoints_ == nullptr) {
            checkpoints_ = std::make_unique<QTemporaryDir>();
        }
        output.checkpointFile = checkpoints_->filePath(QString::number(item.id()) + ".ckpt").toStdString();
    }
    return output;
}

std::function<void()> Workspace::preparationOf(const RunItem& item, const JobOutput& output) const {
    if (!item.resumes() || (item.before() == 0 && writesStudy())) {
        return {};  // new, or its checkpoint is there
    }
    if (item.before() == 0) {
        return [from = study_->checkpointFile(item.label().toStdString()), output] {
            writeCheckpoint(output.checkpointFile, readCheckpoint(from));
        };
    }
    if (!item.file().isEmpty() && !item.imagesOnDisk().empty() &&
        item.imagesOnDisk().back() == item.before()) {
        return [file = item.file().toStdString(), output] { prepareContinuation(file, output); };
    }
    const QJsonObject described{
        {"settings", QJsonDocument::fromJson(QByteArray::fromStdString(item.settings().toJson())).object()}};
    Checkpoint checkpoint;
    checkpoint.settingsJson = QJsonDocument(described).toJson(QJsonDocument::Compact).toStdString();
    checkpoint.dataHash = measurement_->hash();
    checkpoint.iteration = item.before();
    checkpoint.image = item.images().at(item.before());
    for (const StoredIterate& iterate : item.timing()) {
        if (iterate.iteration <= item.before()) {
            checkpoint.history.push_back(iterate);
        }
    }
    return [checkpoint, file = output.checkpointFile] { writeCheckpoint(file, checkpoint); };
}

RunItem& Workspace::addInterrupted(const QString& label, InterruptedRun& run) {
    RunItem& item = runs_.add(RunKind::Reconstruction,
                              QString::fromStdString(runName(run.made.settings, run.made.system)), label);
    item.open(std::move(run));
    if (item.figures().empty() && !rois_.isEmpty()) {
        const auto& [iteration, image] = *item.images().begin();
        item.setFigures({evaluator(image->lattice).evaluate(iteration, image->data.data())}, 0);
    }
    item.setRoiRevision(figuresAreOfRois(item) ? rois_.revision() : 0);
    return item;
}

int Workspace::adoptRecovered(const QString& label, const QString& name, InterruptedRun run) {
    RunItem& item = addInterrupted(runs_.find(label) != nullptr ? QString() : label, run);
    if (item.lastIterate() >= item.progress().iterations) {
        item.recovered();
    }
    if (name != item.name()) {
        runs_.rename(item.id(), name);
    }
    runs_.select(item.id());
    return item.id();
}

}  // namespace tof::ui
