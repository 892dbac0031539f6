// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/study_watch.h"

#include <QDir>
#include <memory>

namespace tof::ui {

namespace {

constexpr int kEvery_ms = 2000;

/// Tells a file's last change and size.
qint64 stampOf(const QFileInfo& file) {
    return file.lastModified().toMSecsSinceEpoch() * 1000003 + file.size() + 1;
}

}  // namespace

StudyWatch::StudyWatch(const OpenStudy& study, RunList& runs, Threading threading, Follow follow,
                       QObject* parent)
    : QObject(parent), study_(study), runs_(runs), follow_(std::move(follow)), worker_(threading) {
    connect(&study_, &OpenStudy::changed, this, &StudyWatch::beginAnew);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &StudyWatch::look);
    connect(&timer_, &QTimer::timeout, this, &StudyWatch::look);
}

void StudyWatch::beginAnew() {
    const QString folder =
        study_.hasFolder() ? QString::fromStdString(study_.folder()->folder()) + "/runs" : QString();
    if (folder == folder_) {
        return;
    }
    if (!folder_.isEmpty()) {
        watcher_.removePath(folder_);
        timer_.stop();
    }
    folder_ = folder;
    known_ = folder.isEmpty() ? std::map<QString, Files>() : filesNow();
    if (!folder.isEmpty()) {
        watcher_.addPath(folder);
        timer_.start(kEvery_ms);
    }
}

std::map<QString, StudyWatch::Files> StudyWatch::filesNow() const {
    std::map<QString, Files> now;
    const QDateTime time = QDateTime::currentDateTimeUtc();
    for (const QFileInfo& file : QDir(folder_).entryInfoList({"*.h5", "*.ckpt"}, QDir::Files)) {
        Files& files = now[file.completeBaseName()];
        (file.suffix() == "h5" ? files.run : files.checkpoint) = stampOf(file);
        files.seen = time;
    }
    return now;
}

bool StudyWatch::mayBeElsewhere(const QString& run) const {
    const RunItem* const item = runs_.find(run);
    return item == nullptr || item->state() == RunState::Interrupted || item->state() == RunState::Opened;
}

void StudyWatch::look() {
    if (folder_.isEmpty() || worker_.busy()) {
        return;  // the next look comes
    }
    for (const auto& [run, files] : filesNow()) {
        Files& known = known_[run];
        if (files == known) {
            giveUpOn(run, known);
        } else if (known = files; mayBeElsewhere(run)) {
            read(run);
            return;  // one at a time
        }
    }
}

void StudyWatch::giveUpOn(const QString& run, const Files& files) {
    RunItem* const item = runs_.find(run);
    if (item != nullptr && item->elsewhere() &&
        files.seen.msecsTo(QDateTime::currentDateTimeUtc()) > patience_.count()) {
        item->setElsewhere(false);
        runs_.touch();
    }
}

void StudyWatch::read(const QString& run) {
    const auto stored = std::make_shared<StoredRun>();
    worker_.start(
        [stored, study = *study_.folder(), name = run.toStdString()] { *stored = describeRun(study, name); },
        [this, stored, folder = folder_](const std::exception_ptr& fault) {
            // What could not be read is looked at again when it has changed.
            if (fault == nullptr && folder == folder_ &&
                mayBeElsewhere(QString::fromStdString(stored->name))) {
                follow_(*stored);
            }
            QTimer::singleShot(0, this, &StudyWatch::look);
        });
}

}  // namespace tof::ui
