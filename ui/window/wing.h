// SPDX-License-Identifier: Apache-2.0
// The door for parts of the program that the window does not know of until the program's main hands them in.
#pragma once

#include <functional>
#include <vector>

#include "ui/window/command_line.h"
#include "ui/window/page_table.h"

namespace tof::ui {

class MainWindow;

struct Wing {
    /// Its pages, behind the window's own; called once words can be translated.
    std::function<std::vector<PageRow>()> pages = [] { return std::vector<PageRow>(); };
    std::vector<WingOption> options{};
    /// Once the script is through: does what those of its options ask for that were given. What goes wrong
    /// later goes to `fail`, which ends the program. Throws WrongUse.
    std::function<void(const QMap<QString, QString>& given, Desk& desk, MainWindow& window,
                       const std::function<void(const Error&)>& fail)>
        start{};
};

}  // namespace tof::ui
