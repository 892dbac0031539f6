// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSize>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "recon/base/error.h"
#include "ui/window/main_window.h"

namespace tof::ui {

/// What the command line asks for before there is a window, and the actions that follow in order.
struct CommandLine {
    struct Action {
        QString name;   ///< "open", "demo", "cursor", ...
        QString value;  ///< its argument, or empty
    };
    std::vector<Action> actions;
    QSize size;                            ///< invalid: as remembered
    QMap<QString, QString> preferences{};  ///< for this start only, --theme among them
    QString language{};                    ///< of the window; empty: the preference, else the system
    viz::RendererChoice renderer = viz::RendererChoice::Auto;
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

/// Carries out the actions of a command line one after the other, each when the one before has finished.
class Script : public QObject {
    Q_OBJECT

  public:
    Script(MainWindow& window, Workspace& workspace, std::vector<CommandLine::Action> actions);
    void start();
    /// What the action that failed said.
    [[nodiscard]] const std::optional<Error>& fault() const { return fault_; }

  Q_SIGNALS:
    /// All actions are done, or one failed; `exit` says whether --exit was among them.
    void finished(bool exit);

  private:
    void step();
    void carryOut(const CommandLine::Action& action);
    /// False when the action is not about ROIs.
    bool carryOutRoi(const CommandLine::Action& action);
    [[nodiscard]] bool settled();

    MainWindow& window_;
    Workspace& workspace_;
    std::deque<CommandLine::Action> actions_;
    std::function<bool()> waiting_;  ///< true once the current action is complete
    QTimer timer_;
    std::optional<Error> fault_;
    bool exit_ = false;
    double pictureScale_ = 2;
};

}  // namespace tof::ui
