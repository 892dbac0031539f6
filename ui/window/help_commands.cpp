// SPDX-License-Identifier: Apache-2.0
#include <QMessageBox>

#include "recon/settings/version.h"
#include "ui/window/dialogs.h"
#include "ui/window/main_window.h"
#include "ui/window/palette.h"

namespace tof::ui {

void MainWindow::addHelpCommands() {
    commands_->add({.id = "help.palette",
                    .menu = "Help",
                    .text = tr("Command palette"),
                    .help = tr("Type what you want to do; Enter does it"),
                    .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
                    .run = [this] { (new Palette(*commands_, this))->show(); }});
    commands_->add(
        {.id = "help.keys",
         .menu = "Help",
         .text = tr("All keys"),
         .help = tr("Every command that has a key, and what the mouse does"),
         .icon = "help",
         .keys = {QKeySequence(Qt::Key_H), QKeySequence(Qt::Key_Question), QKeySequence(Qt::Key_F1)},
         .run = [this] { makeCheatSheet(*commands_, this)->show(); }});
    commands_->add({.id = "help.messages",
                    .menu = "Help",
                    .text = tr("Messages"),
                    .help = tr("Notes, warnings and errors of this session, with a report to copy"),
                    .icon = "message",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_M)},
                    .run = [this] {
                        makeMessageCentre(workspace_, viewer_->pane(Plane::Transverse)->rendererDescription(),
                                          this)
                            ->show();
                    }});
    commands_->add({.id = "help.about",
                    .menu = "Help",
                    .text = tr("About Tofscope"),
                    .help = tr("Version and licence"),
                    .run = [this] {
                        QMessageBox::about(this, tr("About Tofscope"),
                                           tr("Tofscope %1\nTime-of-flight PET reconstruction workbench.\n"
                                              "Apache License 2.0")
                                               .arg(kVersion));
                    }});
}

}  // namespace tof::ui
