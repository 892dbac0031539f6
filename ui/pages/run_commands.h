// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>

#include "ui/kit/commands.h"
#include "ui/pages/run_models.h"

namespace tof::ui {

class Questions;
class RunItem;

/// Empty when the selected run has an image, else the reason.
[[nodiscard]] QString whyNoImage(RunList& runs);
/// Empty when the image on screen is a dynamic one, else the reason.
[[nodiscard]] QString whyNoFrames(RunList& runs);
/// "A variant1, iterate 5"; empty for none.
[[nodiscard]] QString shownNameOf(const RunItem* item);

/// The menu Run: driving the run in work, choosing runs and iterates, the queue.
class RunCommands : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `window` owns it and is where questions stand.
    RunCommands(CommandRegistry& commands, const RunModels& models, const Questions& questions,
                QWidget& window);

  private:
    void addDriving(CommandRegistry& commands);
    void addChoosing(CommandRegistry& commands);
    void addMaking(CommandRegistry& commands);
    void addQueue(CommandRegistry& commands);
    void continueSelected();
    void showPrior();
    [[nodiscard]] QString whyNoPrior() const;
    /// The file that the next run's prior goes by; empty: none.
    [[nodiscard]] QString anatomy() const;
    [[nodiscard]] QString whyNoAnatomy() const;
    void useAsAnatomy();
    void sweep();
    void runReplicates();
    void duplicateSelected();
    void renameSelected();
    void cancelActive();
    void clearQueue();
    void moveSelectedInQueue(int step);
    [[nodiscard]] QString whyNotMoveInQueue(int step);

    RunModels models_;
    const Questions& questions_;
    QWidget& window_;
};

}  // namespace tof::ui
