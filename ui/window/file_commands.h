// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include "recon/io/format/format.h"
#include "ui/kit/commands.h"

namespace tof::ui {

class CursorLink;
class Desk;

class Questions;
class RunRescue;
class SessionKeeper;
class StopQuestion;
struct ListBinning;

/// The menu File, and the questions that opening a file may raise.
class FileCommands : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `window` owns it and is where dialogs stand.
    FileCommands(CommandRegistry& commands, Desk& desk, const Questions& questions,
                 const StopQuestion& stopping, SessionKeeper& keeper, RunRescue& rescue, QWidget& window);

  private:
    void addOpening(CommandRegistry& commands);
    void addKeeping(CommandRegistry& commands);
    void open();
    void simulate();
    void openStudy();
    void browseFolder();
    void layCtUnder();
    void openBeside();
    /// A task failed: where a header led outside its folder, the user may allow it.
    void askOutside(const QString& title, const QString& sentence);
    void binList(const QString& path, const ListBinning& usual, const QString& missing);
    void chooseSeries(const QString& path, const std::vector<VolumeSeries>& series);
    /// Something else was read while a run is going on.
    void replace(const QString& path);
    void saveStudy();
    void saveImage();

    Desk& desk_;
    const Questions& questions_;
    const StopQuestion& stopping_;
    SessionKeeper& keeper_;
    RunRescue& rescue_;
    QWidget& window_;
    QString browsed_;  ///< the folder that was browsed last
    CursorLink& link_;
};

}  // namespace tof::ui
