// SPDX-License-Identifier: Apache-2.0
#include <QFileDialog>
#include <QFileInfo>

#include "recon/io/volume_io.h"
#include "ui/dialogs.h"
#include "ui/main_window.h"

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
    commands_->add(
        {.id = "file.open",
         .menu = "File",
         .text = "Open",
         .help = "Opens a study folder, data, list-mode, run or volume",
         .icon = "open",
         .keys = {QKeySequence(Qt::CTRL | Qt::Key_O)},
         .run = [this] {
             const QStringList files = QFileDialog::getOpenFileNames(
                 this, "Open", QString(),
                 "All readable files (*.h5 *.nii *.nii.gz *.hv *.hdr *.cdh study.json);;All files (*)");
             QStringList paths;
             for (const QString& file : files) {
                 paths << (QFileInfo(file).fileName() == "study.json" ? QFileInfo(file).absolutePath()
                                                                      : file);
             }
             workspace_.open(paths);
         }});
    commands_->add({.id = "file.open-study",
                    .menu = "File",
                    .text = "Open study folder",
                    .help = "Opens a folder NAME.tofstudy",
                    .run = [this] {
                        const QString folder = QFileDialog::getExistingDirectory(this, "Open study folder");
                        if (!folder.isEmpty()) {
                            workspace_.open({folder});
                        }
                    }});
    commands_->add({.id = "file.simulate",
                    .menu = "File",
                    .text = "New simulated study",
                    .help = "Simulates list-mode of a phantom in a scanner and opens it as a study",
                    .icon = "simulate",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_N)},
                    .run = [this] {
                        if (const auto request = askForSimulation(this)) {
                            workspace_.simulate(*request);
                        }
                    }});
    commands_->add({.id = "file.demo",
                    .menu = "File",
                    .text = "Open the demo study",
                    .help = "Opens the demo study; it is simulated at the first use",
                    .icon = "flask",
                    .run = [this] { workspace_.openDemo(); }});
    commands_->add(
        {.id = "file.save-image",
         .menu = "File",
         .text = "Save image as",
         .help = "Writes the volume on screen as HDF5, NIfTI or Interfile",
         .keys = {QKeySequence(Qt::CTRL | Qt::Key_S)},
         .run =
             [this] {
                 const auto volume = workspace_.runs().selected()->volume();
                 const QString file =
                     QFileDialog::getSaveFileName(this, "Save image as", QString(),
                                                  "HDF5 (*.h5);;NIfTI (*.nii *.nii.gz);;Interfile (*.hv)");
                 if (file.isEmpty()) {
                     return;
                 }
                 workspace_.tasks().add(
                     "Writing " + QFileInfo(file).fileName(),
                     [volume, file](TaskControl&) { writeVolume(file.toStdString(), *volume); }, [] {});
             },
         .whyNot =
             [this] {
                 RunItem* item = workspace_.runs().selected();
                 return item != nullptr && item->volume() != nullptr ? QString() : "There is no image yet";
             },
         .separatorBefore = true});
    commands_->add({.id = "file.close",
                    .menu = "File",
                    .text = "Close study",
                    .help = "Closes what is open; its view and settings are kept in the study",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_W)},
                    .run = [this] { workspace_.closeStudy(); },
                    .whyNot = [this] { return workspace_.isEmpty() ? "Nothing is open" : QString(); }});
    commands_->add({.id = "file.quit",
                    .menu = "File",
                    .text = "Quit",
                    .help = "Closes the window; a running reconstruction is stopped",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                    .run = [this] { close(); }});
}

}  // namespace tof::ui
