// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QWidget>

#include "ui/desk/desk.h"
#include "ui/kit/commands.h"

namespace tof::ui {

/// Following a list that is still being written: the dialog is a view of the rows that `reconstruct --follow`
/// has.
class FollowCommands : public QObject {
    Q_OBJECT

  public:
    /// All of it outlives this; `window` owns it and is where the dialog stands.
    FollowCommands(CommandRegistry& commands, Desk& desk, QWidget& window);

  private:
    void ask();

    Desk& desk_;
    QWidget& window_;
};

}  // namespace tof::ui
