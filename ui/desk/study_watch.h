// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <map>

#include "recon/work/stored_run.h"
#include "ui/desk/open_study.h"
#include "ui/desk/run_list.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// Looks what other programs write into the folder of the open study: checkpoints and run files, by their
/// times and sizes, at once where the file system tells of changes and every two seconds where it does not
/// (network file systems). Runs of this program are left alone. Files are read in a thread of their own, one
/// at a time, and only when they have changed.
class StudyWatch : public QObject {
    Q_OBJECT

  public:
    using Follow = std::function<void(const StoredRun& run)>;
    /// `follow` gets a run that has changed, in the window's thread: interrupted while it is in work.
    StudyWatch(const OpenStudy& study, RunList& runs, Threading threading, Follow follow,
               QObject* parent = nullptr);

    /// For how long a checkpoint may stay as it is before its run counts as interrupted again; five minutes
    /// as it stands.
    void setPatience(std::chrono::milliseconds patience) { patience_ = patience; }
    /// True while a file is read.
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    void look();

  private:
    /// What a run has in the folder.
    struct Files {
        qint64 checkpoint = 0;  ///< tells its last change and its size; 0: there is none
        qint64 run = 0;
        QDateTime seen{};  ///< when that was new
        [[nodiscard]] bool operator==(const Files& other) const {
            return checkpoint == other.checkpoint && run == other.run;
        }
    };
    void beginAnew();
    [[nodiscard]] std::map<QString, Files> filesNow() const;
    /// Whether another program may be at work on it.
    [[nodiscard]] bool mayBeElsewhere(const QString& run) const;
    void read(const QString& run);
    void giveUpOn(const QString& run, const Files& files);

    const OpenStudy& study_;
    RunList& runs_;
    Follow follow_;
    QString folder_;
    std::map<QString, Files> known_;
    std::chrono::milliseconds patience_{std::chrono::minutes(5)};
    QFileSystemWatcher watcher_;
    QTimer timer_;
    Worker worker_;
};

}  // namespace tof::ui
