// SPDX-License-Identifier: Apache-2.0
#include <QFileDialog>
#include <QFileInfo>

#include "recon/io/volume_io.h"
#include "ui/window/dialogs.h"
#include "ui/window/main_window.h"

namespace tof::ui {

void MainWindow::binList(const QString& path) {
    if (const auto binning = askForBinning(this, path)) {
        workspace_.openList(path, *binning);
    }
}

void MainWindow::addFileCommands() {
    if (options_.askBeforeClosing) {
        workspace_.setListBinning(std::nullopt);
    }
    // Not from within the queue that found it: a dialog has an event loop of its own.
    connect(&workspace_, &Workspace::listFound, this, &MainWindow::binList, Qt::QueuedConnection);
    workspace_.setAskBeforeReplacing(options_.askBeforeClosing);
    connect(
        &workspace_, &Workspace::replacing, this,
        [this](const QString& path) {
            if (mayStopRuns(tr("Open %1").arg(QFileInfo(path).fileName()))) {
                workspace_.replaceNow();
            } else {
                workspace_.keepWhatIsOpen();
            }
        },
        Qt::QueuedConnection);
    commands_->add(
        {.id = "file.open",
         .menu = "File",
         .text = tr("Open"),
         .help = tr("Opens a study folder, data, list-mode, run or volume"),
         .icon = "open",
         .keys = {QKeySequence(Qt::CTRL | Qt::Key_O)},
         .run = [this] {
             const QStringList files = QFileDialog::getOpenFileNames(
                 this, tr("Open"), QString(),
                 tr("All readable files (*.h5 *.nii *.nii.gz *.hv *.hdr *.cdh study.json);;All files (*)"));
             QStringList paths;
             for (const QString& file : files) {
                 paths << (QFileInfo(file).fileName() == "study.json" ? QFileInfo(file).absolutePath()
                                                                      : file);
             }
             workspace_.open(paths);
         }});
    commands_->add({.id = "file.open-study",
                    .menu = "File",
                    .text = tr("Open study folder"),
                    .help = tr("Opens a folder NAME.tofstudy"),
                    .run = [this] {
                        const QString folder =
                            QFileDialog::getExistingDirectory(this, tr("Open study folder"));
                        if (!folder.isEmpty()) {
                            workspace_.open({folder});
                        }
                    }});
    commands_->add({.id = "file.simulate",
                    .menu = "File",
                    .text = tr("New simulated study"),
                    .help = tr("Simulates list-mode of a phantom in a scanner and opens it as a study"),
                    .icon = "simulate",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_N)},
                    .run = [this] {
                        if (const auto request = askForSimulation(this)) {
                            workspace_.simulate(*request);
                        }
                    }});
    commands_->add({.id = "file.demo",
                    .menu = "File",
                    .text = tr("Open the demo study"),
                    .help = tr("Opens the demo study; it is simulated at the first use"),
                    .icon = "flask",
                    .run = [this] { workspace_.openDemo(); }});
    commands_->add({.id = "file.save-image",
                    .menu = "File",
                    .text = tr("Save image as"),
                    .help = tr("Writes the volume on screen as HDF5, NIfTI or Interfile"),
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_S)},
                    .run =
                        [this] {
                            const auto volume = workspace_.runs().selected()->volume();
                            const QString file = QFileDialog::getSaveFileName(
                                this, tr("Save image as"), QString(),
                                tr("HDF5 (*.h5);;NIfTI (*.nii *.nii.gz);;Interfile (*.hv)"));
                            if (file.isEmpty()) {
                                return;
                            }
                            workspace_.tasks().add(
                                tr("Writing %1").arg(QFileInfo(file).fileName()),
                                [volume, file](TaskControl&) { writeVolume(file.toStdString(), *volume); },
                                [] {});
                        },
                    .whyNot =
                        [this] {
                            RunItem* item = workspace_.runs().selected();
                            return item != nullptr && item->volume() != nullptr ? QString()
                                                                                : tr("There is no image yet");
                        },
                    .separatorBefore = true});
    commands_->add({.id = "file.close",
                    .menu = "File",
                    .text = tr("Close study"),
                    .help = tr("Closes what is open; its view and settings are kept in the study"),
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_W)},
                    .run =
                        [this] {
                            if (mayStopRuns(tr("Close study"))) {
                                workspace_.closeStudy();
                            }
                        },
                    .whyNot = [this] { return workspace_.isEmpty() ? tr("Nothing is open") : QString(); }});
    commands_->add({.id = "file.quit",
                    .menu = "File",
                    .text = tr("Quit"),
                    .help = tr("Closes the window; a running reconstruction is stopped"),
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                    .run = [this] { close(); }});
}

}  // namespace tof::ui
