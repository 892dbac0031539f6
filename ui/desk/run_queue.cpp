// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_queue.h"

#include <algorithm>
#include <limits>

#include "recon/io/bytes/atomic_file.h"
#include "recon/work/read_measurement.h"
#include "recon/work/reconstruct.h"
#include "recon/work/systems.h"

namespace tof::ui {

namespace {

constexpr int kQueueRestMs = 66;

}  // namespace

RunQueue::RunQueue(const RunContext& context, Threading threading)
    : context_(context), driver_(context.engines, context.runs, threading, kQueueRestMs) {
    connect(&driver_, &RunDriver::ended, this, &RunQueue::ended);
}

// ---- starting ----

QString RunQueue::whyNoRun() const {
    if (context_.study.measurement() == nullptr) {
        return context_.study.folder() != nullptr ? tr("The data of the study are not read yet")
                                                  : tr("Open a study, data or list-mode first");
    }
    return {};
}

QString RunQueue::whyNoReplicates() const {
    const QString why = whyNoRun();
    return !why.isEmpty() || context_.study.histo() != nullptr
               ? why
               : tr("Counts of histo-images alone are resampled; open list-mode as histo-images");
}

int RunQueue::start(const RunSettings& settings, int replicates) {
    if (!whyNoRun().isEmpty()) {
        return 0;
    }
    RunItem& item =
        context_.runs.add(RunKind::Reconstruction,
                          QString::fromStdString(runName(settings, context_.study.measurement()->system())));
    item.plan(settings, replicates);
    enqueue(item);
    const int id = item.id();
    if (active() == nullptr) {
        context_.runs.select(id);
    }
    beginNext();
    return id;
}

QString RunQueue::whyNotContinue(const RunItem& item) const {
    const auto& data = context_.study.measurement();
    if (data == nullptr) {
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
    if (item.elsewhere()) {
        return tr("Another program is at work on the run");
    }
    if (item.iterates().empty()) {
        return tr("The run has no whole iterate");
    }
    if (!(item.lattice() == data->lattice())) {
        return tr("The run is on another lattice than the open data");
    }
    return {};
}

void RunQueue::continueRun(int id, int more) {
    RunItem* item = context_.runs.find(id);
    const QString why = item == nullptr ? tr("there is no such run") : whyNotContinue(*item);
    if (item == nullptr || !why.isEmpty()) {
        throw WrongUse(tr("run cannot be continued: %1").arg(why).toStdString());
    }
    const bool checkpoint =
        item->state() == RunState::Interrupted && !context_.study.checkpointOf(item->label()).empty();
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
    context_.runs.touch();
    beginNext();
}

void RunQueue::beginNext() {
    if (driver_.busy()) {
        return;
    }
    const std::vector<RunItem*> queue = waiting();
    const auto next =
        std::find_if(queue.begin(), queue.end(), [](const RunItem* each) { return !each->held(); });
    if (next == queue.end()) {
        return;
    }
    RunItem& item = **next;
    RunFiles files;
    try {
        files = filesOf(item);
    } catch (const CannotWrite&) {
        failed(item, std::current_exception(), files);
        context_.runs.touch();
        return;
    }
    const auto& data = context_.study.measurement();
    const RoiModel& rois = context_.rois;
    item.begin(data->hash(), latticeOfRun(*data, item.settings()), rois.revision());
    item.setSystem(data->system());
    item.setUnits(data->units());
    renumber();
    context_.runs.select(item.id());
    keepCheckpoint_ = false;
    ReconstructRequest request{data, item.settings(), files, rois.set(), resumedFrom(item)};
    request.replicates = item.replicates();
    request.priority = Priority::Background;
    request.sensitivities = sensitivities_;
    driver_.start(item, std::move(request), rois.revision());
}

RunFiles RunQueue::filesOf(const RunItem& item) {
    const Study& store = context_.study.store();
    const std::string run = item.label().toStdString();
    return {store.runFile(run), store.checkpointFile(run)};
}

std::optional<ResumeFrom> RunQueue::resumedFrom(const RunItem& item) const {
    if (!item.resumes()) {
        return std::nullopt;
    }
    if (item.before() == 0) {
        return context_.study.checkpointOf(item.label());
    }
    if (!item.file().isEmpty() && !item.imagesOnDisk().empty() &&
        item.imagesOnDisk().back() == item.before()) {
        return item.file().toStdString();
    }
    Checkpoint checkpoint = item.checkpoint(item.before(), context_.study.measurement()->hash());
    checkpoint.image = item.images().at(item.before());
    checkpoint.metricsJson = figuresToJson(item.figuresUpTo(item.before()));
    return checkpoint;
}

// ---- ending ----

void RunQueue::ended(int id, const std::exception_ptr& fault, const RunFiles& files) {
    if (RunItem* item = context_.runs.find(id); item != nullptr && fault != nullptr) {
        failed(*item, fault, files);
    }
    Q_EMIT changed();
    context_.runs.touch();
    beginNext();
}

void RunQueue::failed(RunItem& item, const std::exception_ptr& fault, const RunFiles& files) {
    const bool cancelled = isCancelled(fault);
    if (cancelled && keepCheckpoint_ && !item.resumes() && item.timing().empty()) {
        item.putBack();  // nothing of it is there yet
        renumber();
        return;
    }
    // What was there before this run began, or went on, is never lost; nor what came since, unless the user
    // has cancelled it.
    const bool byUser = cancelled && !keepCheckpoint_;
    const bool hadEnded = item.resumes() && item.before() > 0;
    const bool wentOn = !item.timing().empty() && item.timing().back().iteration > item.before();
    if ((byUser && !item.resumes()) || (hadEnded && (byUser || !wentOn))) {
        discardCheckpoint(files);
    }
    if (cancelled) {
        item.cancel();
        return;
    }
    item.fail(sentence(fault));
    const QString told = tr("Run %1: %2").arg(item.label(), item.error());
    context_.messages.add(Severity::Error, told);
    Q_EMIT runFailed(told, failureOf(fault).kind);
}

void RunQueue::cancel() {
    hold();
    driver_.cancel();
    context_.runs.touch();
}

void RunQueue::stop() {
    keepCheckpoint_ = true;
    cancel();
    driver_.join();
}

std::unique_ptr<RunQueue::Removed> RunQueue::take(int id) {
    RunItem* item = context_.runs.find(id);
    if (item == nullptr || isActive(item->state())) {
        return nullptr;
    }
    if (item->state() == RunState::Queued && item->resumes()) {
        item->withdraw();
        renumber();
        Q_EMIT changed();
        context_.runs.touch();
        return nullptr;
    }
    auto removed = std::make_unique<Removed>();
    removed->files = setAside(*item);
    removed->place = context_.runs.indexOf(id);
    removed->item = context_.runs.take(id);
    renumber();
    Q_EMIT changed();
    return removed;
}

/// The run file goes last: a program that is killed in between leaves a run that is whole.
std::unique_ptr<FilesAside> RunQueue::setAside(const RunItem& item) {
    const Study* const store = context_.study.storeNow();
    if (store == nullptr || item.isVolume()) {
        return nullptr;
    }
    const Study& folder = *store;
    const std::string run = item.label().toStdString();
    QStringList files;
    if (item.state() == RunState::Interrupted || item.state() == RunState::Failed) {
        for (const std::string& each : folder.filesOf(run)) {
            files << QString::fromStdString(each);
        }
        removeLeftTemporaries(folder.runFile(run));
    }
    if (!item.file().isEmpty() && item.file().startsWith(QString::fromStdString(folder.folder()))) {
        files << item.file();
    }
    return std::make_unique<FilesAside>(QString::fromStdString(folder.folder()), files);
}

void RunQueue::putBack(std::unique_ptr<Removed> removed) {
    const QString label = removed->item->label();
    if (removed->files != nullptr && !removed->files->putBack()) {
        context_.messages.add(Severity::Error,
                              tr("Run %1 is back in the list, but not all of its files").arg(label));
    }
    const bool waits = removed->item->state() == RunState::Queued;
    RunItem& item = *removed->item;
    context_.runs.insert(std::move(removed->item), removed->place);
    if (waits) {
        item.hold();
        enqueue(item);
    }
    Q_EMIT changed();
}

// ---- those that wait ----

std::vector<RunItem*> RunQueue::waiting() const {
    std::vector<RunItem*> queue;
    for (const auto& item : context_.runs.items()) {
        if (item->state() == RunState::Queued) {
            queue.push_back(item.get());
        }
    }
    std::stable_sort(queue.begin(), queue.end(),
                     [](const RunItem* a, const RunItem* b) { return a->turn() < b->turn(); });
    return queue;
}

void RunQueue::enqueue(RunItem& item) {
    item.setTurn(std::numeric_limits<int>::max());
    renumber();
    Q_EMIT changed();
}

void RunQueue::renumber() {
    for (const auto& item : context_.runs.items()) {
        if (item->state() != RunState::Queued) {
            item->setTurn(0);
            item->release();
        }
    }
    int turn = 0;
    for (RunItem* item : waiting()) {
        item->setTurn(++turn);
    }
}

void RunQueue::move(int id, int place) {
    std::vector<RunItem*> queue = waiting();
    const auto from = std::find_if(queue.begin(), queue.end(), [id](RunItem* i) { return i->id() == id; });
    if (from == queue.end()) {
        return;
    }
    RunItem* moved = *from;
    queue.erase(from);
    queue.insert(queue.begin() + std::clamp(place, 0, static_cast<int>(queue.size())), moved);
    std::vector<int> fresh;  // rows without pictures follow; others keep their colours
    int turn = 0;
    for (RunItem* item : queue) {
        item->setTurn(++turn);
        if (item->iterates().empty()) {
            fresh.push_back(item->id());
        }
    }
    context_.runs.arrange(fresh);
    Q_EMIT changed();
}

void RunQueue::hold() {
    for (RunItem* item : waiting()) {
        item->hold();
    }
}

QString RunQueue::whyNotRelease() const {
    const std::vector<RunItem*> queue = waiting();
    const bool held =
        std::any_of(queue.begin(), queue.end(), [](const RunItem* item) { return item->held(); });
    return held ? whyNoRun() : tr("No run waits to be started");
}

void RunQueue::release() {
    if (!whyNotRelease().isEmpty()) {
        return;
    }
    for (RunItem* item : waiting()) {
        item->release();
    }
    context_.runs.touch();
    beginNext();
}

void RunQueue::clear() {
    for (const RunItem* item : waiting()) {
        remove(item->id());
    }
}

std::vector<QueuedRun> RunQueue::toKeep() {
    std::vector<QueuedRun> kept;
    const auto keep = [&](const RunItem& item) {
        kept.push_back({item.label().toStdString(), item.settings(), item.resumes()});
    };
    if (const RunItem* item = active(); item != nullptr && !item->resumes()) {
        keep(*item);
    }
    for (const RunItem* item : waiting()) {
        keep(*item);
    }
    return kept;
}

// ---- runs of earlier sessions ----

QString RunQueue::adoptOne(const QueuedRun& waiting) {
    const QString label = QString::fromStdString(waiting.run);
    RunItem* item = context_.runs.find(label);
    if (waiting.continues && item == nullptr) {
        return {};  // its file cannot be read; that was said
    }
    if (waiting.continues) {
        item->planMore(waiting.settings,
                       item->state() == RunState::Interrupted ? 0 : item->iterates().back());
    } else {
        const auto& data = context_.study.measurement();
        const std::string system =
            data != nullptr ? data->system() : systemOfData(context_.study.folder()->dataFile());
        item = &context_.runs.add(RunKind::Reconstruction,
                                  QString::fromStdString(runName(waiting.settings, system)),
                                  item != nullptr ? QString() : label);
        item->plan(waiting.settings);
    }
    item->hold();
    enqueue(*item);
    return item->label();
}

void RunQueue::adopt(const std::vector<QueuedRun>& waiting) {
    QStringList letters;
    for (const QueuedRun& run : waiting) {
        if (const QString letter = adoptOne(run); !letter.isEmpty()) {
            letters << letter;
        }
    }
    if (!letters.isEmpty()) {
        context_.messages.add(
            Severity::Note,
            tr("In the queue of the study, not started: %1. Run > Start queue begins with them")
                .arg(letters.join(", ")));
    }
}

}  // namespace tof::ui
