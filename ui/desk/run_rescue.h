// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLockFile>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ui/desk/desk.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// Keeps runs that are in memory only on disk, too, so that neither a crash nor the opening of other data
/// loses them.
///
/// Each session has a folder with a lock, and in it two files per run: its last whole iterate as a checkpoint
/// and what else is needed to put it back; of a run that waits the latter alone. A folder whose session has
/// ended is offered by recover().
class RunRescue : public QObject {
    Q_OBJECT

  public:
    static constexpr int kEveryMs = 5000;
    static constexpr int kSessions = 20;  ///< older ones are dropped

    /// `folder` empty: nothing is kept and nothing found. Says in the messages what it has found.
    RunRescue(Desk& desk, const QString& folder, QObject* parent = nullptr);
    ~RunRescue() override;

    /// False when it keeps nothing.
    [[nodiscard]] bool keeps() const { return !folder_.isEmpty(); }
    /// Empty when there is something to recover, else the reason.
    [[nodiscard]] QString whyNot() const;
    /// What recover() would bring back, as a sentence; empty when there is nothing.
    [[nodiscard]] QString summary() const;
    /// Deletes what recover() would bring back.
    void discard();
    /// Opens the data of the runs kept last and puts the runs beside what is there; returns at once.
    void recover();
    /// Writes what has changed since the last time; returns at once.
    void save();
    /// The same, and waits until it is written.
    void saveNow();

  private:
    /// A run on disk; `base` without ".ckpt" and ".json".
    struct Kept;
    /// The runs of one data file that earlier sessions have left.
    struct Group;
    void find();
    void announce(Severity severity);
    [[nodiscard]] static QString sentenceOf(const Group& group);
    void retire();
    void forget(int id);
    void adopt(const Group& group, std::vector<std::pair<Kept, StoredRun>>& runs);
    void adoptWaiting(const Kept& kept);
    [[nodiscard]] QString base(int id) const;
    [[nodiscard]] bool claimFolder();
    /// What is written of it beside its checkpoint, as JSON.
    [[nodiscard]] std::string aboutRun(const RunItem& item) const;

    Desk& desk_;
    QString folder_;
    QString own_;  ///< this session's part of it; empty until something is written
    std::unique_ptr<QLockFile> lock_;
    std::map<int, std::string> saved_;  ///< by run, as last written
    std::vector<Group> found_;
    Worker worker_;
    QTimer timer_;
    bool told_ = false;  ///< that nothing can be written
};

}  // namespace tof::ui
