// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>
#include <algorithm>

#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"

namespace tof::ui {

/// Plays through the slices of the picture with the frame, or through the iterates of the selected run, over
/// and over. A picture waits for the one before: an iterate that is being read is waited for.
class Cine : public QObject {
  public:
    enum class What { Nothing, Slices, Iterates };
    Cine(RunList& runs, ViewModel& view, QObject* parent);

    [[nodiscard]] What playing() const { return what_; }
    /// Plays; called again it stops.
    void toggle(What what);
    /// Pictures per second, 1..30.
    void setRate(double perSecond) {
        timer_.setInterval(static_cast<int>(1000 / std::clamp(perSecond, 1.0, 30.0)));
    }
    /// Shows the next picture; called by a timer, and by tests.
    void step();

  private:
    RunList& runs_;
    ViewModel& view_;
    What what_ = What::Nothing;
    QTimer timer_;
};

}  // namespace tof::ui
