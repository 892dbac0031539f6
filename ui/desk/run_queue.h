// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "recon/base/error.h"
#include "recon/sources/sensitivity_cache.h"
#include "recon/study/study.h"
#include "ui/desk/files_aside.h"
#include "ui/desk/run_context.h"
#include "ui/desk/run_driver.h"

namespace tof::ui {

/// Reconstructions of the open data, one after the other: which of them wait, in which order, whether they
/// may begin, and what is kept of a run that ends before it is whole.
///
/// They are kept where OpenStudy::store() says, so that they outlive the program. All calls come from the
/// window's thread and none but stop() waits for a run; failures end up in the messages and in the row of the
/// run.
class RunQueue : public QObject {
    Q_OBJECT

  public:
    RunQueue(const RunContext& context, Threading threading);

    /// The run in work: pause, step, finish.
    [[nodiscard]] RunDriver& driver() { return driver_; }
    /// Its row, or null.
    [[nodiscard]] RunItem* active() { return driver_.item(); }
    [[nodiscard]] bool busy() const { return driver_.busy(); }

    /// Empty when a run can start, else the reason.
    [[nodiscard]] QString whyNoRun() const;
    /// Adds a run with the current settings behind those that wait. Returns its id, 0 when whyNoRun().
    int start() { return start(context_.settings.current()); }
    /// A run with settings of its own, and so many reconstructions of resampled counts after it: its curves
    /// get bands, and their mean and SD images come beside it.
    int start(const RunSettings& settings, int replicates = 0);
    /// Empty when a run can have replicates, else the reason.
    [[nodiscard]] QString whyNoReplicates() const;
    /// Empty when a run can go on, else the reason.
    [[nodiscard]] QString whyNotContinue(const RunItem& item) const;
    /// Queues a run that has ended or was interrupted to go on for `more` iterations beyond its last one; 0
    /// goes on to the number it was to have. Throws WrongUse when whyNotContinue().
    void continueRun(int id, int more);
    /// Ends the run in work and keeps nothing of it. Those that wait stay, and are held.
    void cancel();
    /// Removes a run from the list (and from disk when it has a file in the study). One that waits to go on
    /// is only taken out of the queue.
    void remove(int id) { static_cast<void>(take(id)); }
    /// A run that was removed, and what brings it back. Its files are deleted with this.
    struct Removed {
        std::unique_ptr<RunItem> item;
        int place = 0;
        std::unique_ptr<FilesAside> files;  ///< null: it had none in the study
    };
    /// remove() that can be taken back; null where nothing left the list.
    [[nodiscard]] std::unique_ptr<Removed> take(int id);
    /// Puts a run back on its place, with its files; one that waited waits until release().
    void putBack(std::unique_ptr<Removed> removed);
    /// Ends the run in work because the program or the study goes, and waits for it: it can be continued.
    void stop();

    /// Runs that wait, the next one first.
    [[nodiscard]] std::vector<RunItem*> waiting() const;
    /// Gives a run that waits another place, 0 being the next.
    void move(int id, int place);
    /// Empty when release() has something to do, else the reason.
    [[nodiscard]] QString whyNotRelease() const;
    /// Lets the runs begin that wait until somebody says so: those of an earlier session, or left by a
    /// cancelled run.
    void release();
    /// Takes every run that waits out of the queue, as remove() does.
    void clear();
    /// What has to be in the study so that nothing is lost if the program ends now: a run that has begun goes
    /// on from its checkpoint, and until it has one it is among those that wait.
    [[nodiscard]] std::vector<QueuedRun> toKeep();

    // Runs of earlier sessions.
    /// What a study has waiting; it waits until release(). New runs whose letter is taken get another one.
    void adopt(const std::vector<QueuedRun>& waiting);

  Q_SIGNALS:
    /// toKeep() may be another.
    void changed();
    /// A run ended by an error; nobody cancelled it.
    void runFailed(const QString& sentence, ErrorKind kind);

  private:
    void enqueue(RunItem& item);
    [[nodiscard]] std::unique_ptr<FilesAside> setAside(const RunItem& item);
    void renumber();
    void hold();
    void beginNext();
    /// Says its letter; empty where it cannot wait.
    [[nodiscard]] QString adoptOne(const QueuedRun& waiting);
    [[nodiscard]] RunFiles filesOf(const RunItem& item);
    [[nodiscard]] std::optional<ResumeFrom> resumedFrom(const RunItem& item) const;
    void ended(int id, const std::exception_ptr& fault, const RunFiles& files);
    void failed(RunItem& item, const std::exception_ptr& fault, const RunFiles& files);

    RunContext context_;
    std::shared_ptr<SensitivityCache> sensitivities_ = std::make_shared<SensitivityCache>();
    bool keepCheckpoint_ = false;  ///< the run in work ends with the program, not by the user
    RunDriver driver_;
};

}  // namespace tof::ui
