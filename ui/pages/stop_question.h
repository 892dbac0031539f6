// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>

#include "ui/desk/desk.h"

namespace tof::ui {

class Questions;
class RunRescue;

/// The question before a run is stopped by closing or opening something.
class StopQuestion {
    Q_DECLARE_TR_FUNCTIONS(StopQuestion)

  public:
    /// What is given outlives this.
    StopQuestion(Desk& desk, const RunRescue& rescue, const Questions& questions)
        : desk_(desk), rescue_(rescue), questions_(questions) {}
    /// Asks when a run is going on; true when it may be stopped.
    [[nodiscard]] bool mayStop(const QString& title) const;

  private:
    /// What becomes of the run in work, and of those that wait.
    [[nodiscard]] QString consequences() const;

    Desk& desk_;
    const RunRescue& rescue_;
    const Questions& questions_;
};

}  // namespace tof::ui
