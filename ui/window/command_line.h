// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QSize>
#include <QString>
#include <QStringList>
#include <vector>

#include "ui/window/script_actions.h"

namespace tof::ui {

/// What the command line asks for before there is a window, and the actions that follow in order.
struct CommandLine {
    std::vector<ScriptStep> actions;
    QSize size;                            ///< invalid: as remembered
    QMap<QString, QString> preferences{};  ///< for this start only, --theme among them
    QString language{};                    ///< of the window; empty: the preference, else the system
    QString renderer{"auto"};              ///< of surfaces: auto, opengl or cpu
    bool help = false;
    bool version = false;
    bool screenshot = false;  ///< some action takes a picture
    bool exit = false;        ///< some action ends the program
    bool save = false;        ///< keep in the study what a script does with it
    bool remember = true;     ///< read and write the user's preferences
    double measureSeconds = 0;
    bool dragRoi = false;  ///< while measuring
    int measureCycles = 0;
    int measureLive = 0;            ///< changes of the kernel
    double measureDragSeconds = 0;  ///< of a drag in the kernel lab

    /// True when the program does what it is told and ends: pictures, measurements, --exit.
    [[nodiscard]] bool measures() const {
        return measureSeconds > 0 || measureCycles > 0 || measureLive > 0 || measureDragSeconds > 0;
    }
    [[nodiscard]] bool batch() const { return screenshot || exit || measures(); }
    /// Throws WrongUse naming the option. `arguments` without the program's name.
    [[nodiscard]] static CommandLine parse(const QStringList& arguments);
};

/// The text of --help.
[[nodiscard]] QString helpText();

}  // namespace tof::ui
