// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>
#include <deque>
#include <vector>

#include "ui/window/script_actions.h"

namespace tof::ui {

/// Carries out the actions of a command line one after the other, each when the one before has finished.
class Script : public QObject {
    Q_OBJECT

  public:
    Script(MainWindow& window, Desk& desk, const std::vector<ScriptStep>& steps);
    void start();
    /// Ends the script after the step that it is at.
    void fail(const QString& sentence, ErrorKind kind);
    /// What the step that failed said.
    [[nodiscard]] const std::optional<Error>& fault() const { return stage_.fault; }
    /// True when --exit was among the steps so far.
    [[nodiscard]] bool exits() const { return stage_.exit; }

  Q_SIGNALS:
    /// All steps are done, or one failed.
    void finished();

  private:
    void next();
    [[nodiscard]] std::string leftOut() const;

    ScriptStage stage_;
    std::deque<ScriptStep> steps_;
    QTimer timer_;
};

}  // namespace tof::ui
