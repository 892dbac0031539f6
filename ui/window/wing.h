// SPDX-License-Identifier: Apache-2.0
// The door for parts of the program that the window does not know of until the program's main hands them in.
#pragma once

#include <QMap>
#include <QString>
#include <functional>
#include <vector>

#include "recon/base/error.h"
#include "ui/window/page_table.h"
#include "ui/window/wing_option.h"

namespace tof::ui {

class Desk;
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
