// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QStringList>

namespace tof::ui {

class OpenStudy;
class RunQueue;
class TaskQueue;

class Questions;
class RunRescue;

/// The question before a run is stopped by closing or opening something.
class StopQuestion {
    Q_DECLARE_TR_FUNCTIONS(StopQuestion)

  public:
    /// What is given outlives this.
    StopQuestion(RunQueue& queue, TaskQueue& tasks, const OpenStudy& study, const RunRescue& rescue,
                 const Questions& questions)
        : queue_(queue), tasks_(tasks), study_(study), rescue_(rescue), questions_(questions) {}
    /// Asks when a run is going on; true when it may be stopped.
    [[nodiscard]] bool mayStop(const QString& title) const;
    /// mayStop() before the program ends, which also asks about runs, by their letters, that are in no study.
    [[nodiscard]] bool mayEnd(const QString& title, const QStringList& unsaved) const;

  private:
    /// What becomes of the run in work, and of those that wait.
    [[nodiscard]] QString consequences() const;

    RunQueue& queue_;
    TaskQueue& tasks_;
    const OpenStudy& study_;
    const RunRescue& rescue_;
    const Questions& questions_;
};

}  // namespace tof::ui
