// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace tof::ui {

class Preferences;

/// Whether a person is there to be asked: scripts and tests are not.
enum class Asking { Never, AsPreferred };

/// Asks before work is lost, unless the preferences say not to.
class Questions {
  public:
    /// `window` is where the question stands; it and `preferences` outlive this.
    Questions(QWidget& window, const Preferences& preferences, Asking asking)
        : window_(window), preferences_(preferences), asking_(asking) {}
    [[nodiscard]] Asking asking() const { return asking_; }
    /// True when it may be; `yes` is the button that says so.
    [[nodiscard]] bool confirm(const QString& title, const QString& text, const QString& yes) const;

  private:
    QWidget& window_;
    const Preferences& preferences_;
    Asking asking_;
};

}  // namespace tof::ui
