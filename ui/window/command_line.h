// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QSize>
#include <QString>
#include <QStringList>
#include <vector>

#include "ui/window/script_actions.h"
#include "ui/window/wing_option.h"

namespace tof::ui {

/// What the command line asks for before there is a window, and the actions that follow in order.
struct CommandLine {
    std::vector<ScriptStep> actions;
    QSize size;                            ///< invalid: as remembered
    QMap<QString, QString> preferences{};  ///< for this start only, --theme among them
    QString language{};                    ///< the window's; empty: the preference, else the system
    QString renderer{"auto"};              ///< what draws surfaces: auto, opengl or cpu
    bool help = false;
    bool version = false;
    bool screenshot = false;           ///< some action takes a picture
    bool exit = false;                 ///< some action ends the program
    bool save = false;                 ///< keep in the study what a script does with it
    bool remember = true;              ///< read and write the user's preferences
    QMap<QString, QString> ofWings{};  ///< options of wings that were given, with their values
    bool wingsEnd = false;             ///< one of them ends the program

    /// True when the program does what it is told and ends: pictures, measurements, --exit.
    [[nodiscard]] bool batch() const { return screenshot || exit || wingsEnd; }
    /// Throws WrongUse naming the option. `arguments` without the program's name.
    [[nodiscard]] static CommandLine parse(const QStringList& arguments,
                                           const std::vector<WingOption>& wings = {});
};

/// The text of --help.
[[nodiscard]] QString helpText(const std::vector<WingOption>& wings = {});

}  // namespace tof::ui
