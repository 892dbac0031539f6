// SPDX-License-Identifier: Apache-2.0
// Runs that wait, and how they outlive the program: the queue belongs to the study.
#include <algorithm>
#include <limits>

#include "recon/base/error.h"
#include "recon/work/read_measurement.h"
#include "recon/work/systems.h"
#include "ui/desk/workspace.h"

namespace tof::ui {

std::vector<RunItem*> Workspace::queue() const {
    std::vector<RunItem*> waiting;
    for (const auto& item : runs_.items()) {
        if (item->state() == RunState::Queued) {
            waiting.push_back(item.get());
        }
    }
    std::stable_sort(waiting.begin(), waiting.end(),
                     [](const RunItem* a, const RunItem* b) { return a->turn() < b->turn(); });
    return waiting;
}

void Workspace::enqueue(RunItem& item) {
    item.setTurn(std::numeric_limits<int>::max());
    renumberQueue();
    saveQueue();
}

void Workspace::renumberQueue() {
    for (const auto& item : runs_.items()) {
        if (item->state() != RunState::Queued) {
            item->setTurn(0);
            item->release();
        }
    }
    int turn = 0;
    for (RunItem* item : queue()) {
        item->setTurn(++turn);
    }
}

void Workspace::moveInQueue(int id, int place) {
    std::vector<RunItem*> waiting = queue();
    const auto from =
        std::find_if(waiting.begin(), waiting.end(), [id](RunItem* i) { return i->id() == id; });
    if (from == waiting.end()) {
        return;
    }
    RunItem* moved = *from;
    waiting.erase(from);
    waiting.insert(waiting.begin() + std::clamp(place, 0, static_cast<int>(waiting.size())), moved);
    std::vector<int> fresh;  // rows without pictures follow; others keep their colours
    int turn = 0;
    for (RunItem* item : waiting) {
        item->setTurn(++turn);
        if (item->iterates().empty()) {
            fresh.push_back(item->id());
        }
    }
    runs_.arrange(fresh);
    saveQueue();
}

void Workspace::holdQueue() {
    for (RunItem* item : queue()) {
        item->hold();
    }
}

QString Workspace::whyNotStartQueue() const {
    const std::vector<RunItem*> waiting = queue();
    const bool held =
        std::any_of(waiting.begin(), waiting.end(), [](const RunItem* item) { return item->held(); });
    return held ? whyNoRun() : tr("No run waits to be started");
}

void Workspace::startQueue() {
    if (!whyNotStartQueue().isEmpty()) {
        return;
    }
    for (RunItem* item : queue()) {
        item->release();
    }
    runs_.touch();
    pump();
}

void Workspace::clearQueue() {
    for (const RunItem* item : queue()) {
        removeRun(item->id());
    }
}

/// What has to be on disk so that nothing is lost if the program ends now: a run that has begun goes on from
/// its checkpoint, and until it has one it is among those that wait.
std::vector<QueuedRun> Workspace::queueToKeep() {
    std::vector<QueuedRun> kept;
    const auto keep = [&](const RunItem& item) {
        kept.push_back({item.label().toStdString(), item.settings(), item.resumes()});
    };
    if (const RunItem* item = activeRun(); item != nullptr && !item->resumes()) {
        keep(*item);
    }
    for (const RunItem* item : queue()) {
        keep(*item);
    }
    return kept;
}

void Workspace::saveQueue() {
    if (writesStudy() && queueToKeep() != study_->queue) {
        saveStudy();
    }
}

bool Workspace::adoptQueued(const QueuedRun& waiting) {
    const QString label = QString::fromStdString(waiting.run);
    RunItem* item = runs_.find(label);
    if (waiting.continues != (item != nullptr)) {
        return false;  // its file cannot be read; that was said
    }
    if (waiting.continues) {
        item->planMore(waiting.settings,
                       item->state() == RunState::Interrupted ? 0 : item->iterates().back());
    } else {
        const std::string name = runName(waiting.settings, systemOfData(study_->dataFile()));
        item = &runs_.add(RunKind::Reconstruction, QString::fromStdString(name), label);
        item->plan(waiting.settings);
    }
    item->hold();
    enqueue(*item);
    return true;
}

void Workspace::adoptQueue(const std::vector<QueuedRun>& waitingRuns) {
    QStringList letters;
    for (const QueuedRun& waiting : waitingRuns) {
        if (adoptQueued(waiting)) {
            letters << QString::fromStdString(waiting.run);
        }
    }
    if (!letters.isEmpty()) {
        messages_.add(Severity::Note,
                      tr("In the queue of the study, not started: %1. Run > Start queue begins with them")
                          .arg(letters.join(", ")));
    }
}

int Workspace::adoptWaiting(const QString& label, const QString& name, const RunSettings& settings) {
    RunItem& item =
        runs_.add(RunKind::Reconstruction, QString::fromStdString(runName(settings, measurement_->system())),
                  runs_.find(label) != nullptr ? QString() : label);
    item.plan(settings);
    item.hold();
    enqueue(item);
    if (name != item.name()) {
        runs_.rename(item.id(), name);
    }
    return item.id();
}

void Workspace::lockStudy() {
    if (studyWrites_ == StudyWrites::Nothing) {
        return;
    }
    try {
        lock_ = std::make_unique<StudyLock>(study_->folder(), StudyLock::Use::Writes);
    } catch (const CannotWrite& fault) {
        messages_.add(
            Severity::Warning,
            tr("%1. Until then nothing that is done here is kept in the study: runs are in memory only")
                .arg(fault.what()));
    }
}

}  // namespace tof::ui
