// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QWidget>

#include "ui/desk/desk.h"
#include "ui/kit/commands.h"

namespace tof::ui {

/// What is made by time: frames of a list, images of kinetic parameters of a dynamic image. Dialogs are views
/// of the rows that the commands `bin` and `kinetics` have.
class TimeCommands : public QObject {
    Q_OBJECT

  public:
    /// All of it outlives this; `window` owns it and is where dialogs stand.
    TimeCommands(CommandRegistry& commands, Desk& desk, QWidget& window);

  private:
    void makeFrames();
    void makeImages();
    void makeParametric();

    Desk& desk_;
    QWidget& window_;
};

}  // namespace tof::ui
