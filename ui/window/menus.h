// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include "ui/kit/commands.h"

class QMenu;
class QMenuBar;

namespace tof::ui {

class Preferences;

/// The menu bar: the commands by their menus, and the files that were open lately.
class Menus : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `bar` owns it.
    Menus(QMenuBar& bar, const CommandRegistry& commands, Preferences& preferences);
    void refreshRecent();

  Q_SIGNALS:
    void recentCleared();
    void openRequested(const QString& path);

  private:
    void build(QMenuBar& bar, const CommandRegistry& commands);

    Preferences& preferences_;
    QMenu* recent_ = nullptr;
};

}  // namespace tof::ui
