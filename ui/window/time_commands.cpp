// SPDX-License-Identifier: Apache-2.0
#include "ui/window/time_commands.h"

#include <QFileDialog>

#include "ui/desk/frame_images.h"
#include "ui/desk/kinetics_task.h"
#include "ui/desk/made_files.h"
#include "ui/pages/run_commands.h"
#include "ui/window/binning_dialog.h"
#include "ui/window/frame_images_dialog.h"
#include "ui/window/kinetics_dialog.h"

namespace tof::ui {

TimeCommands::TimeCommands(CommandRegistry& commands, Desk& desk, QWidget& window)
    : QObject(&window), desk_(desk), window_(window) {
    commands.add(
        "Tools",
        {{.id = "time.frames",
          .text = tr("Make frames..."),
          .help = tr("Cuts list-mode by time: asks how the open list, or a file, is binned"),
          .run = [this] { makeFrames(); },
          .separatorBefore = true},
         {.id = "time.images",
          .text = tr("Make images of frames..."),
          .help = tr("Reconstructs every frame of the open data with the settings at the left, writes "
                     "them as one dynamic image and opens it"),
          .run = [this] { makeImages(); },
          .whyNot = [this] { return whyNoFrameImages(desk_); }},
         {.id = "time.parametric",
          .text = tr("Make parametric image..."),
          .help = tr("Fits a kinetic model to every voxel of the dynamic image on screen, writes "
                     "images of its parameters and opens them"),
          .run = [this] { makeParametric(); },
          .whyNot = [this] { return whyNoFrames(desk_.runs()); }}});
}

void TimeCommands::makeFrames() {
    const OpenStudy& study = desk_.study();
    const bool list = study.binning().has_value();
    const QString file =
        list ? study.path() : QFileDialog::getOpenFileName(&window_, tr("List-mode to be cut by time"));
    if (file.isEmpty()) {
        return;
    }
    if (const auto binning = askForBinning(&window_, file, study.binning().value_or(ListBinning()))) {
        openCut(desk_, file, *binning);
    }
}

void TimeCommands::makeImages() {
    const auto frames =
        askForFrames(&window_, *desk_.study().measurement(), desk_.settings().current().algorithmName);
    if (!frames) {
        return;
    }
    const QString file = QFileDialog::getSaveFileName(&window_, tr("Images of frames"),
                                                      desk_.study().name() + "-frames.nii.gz",
                                                      tr("Dynamic images (*.nii.gz *.nii *.h5)"));
    if (!file.isEmpty()) {
        makeFrameImages(desk_, *frames, file);
    }
}

void TimeCommands::makeParametric() {
    const int id = desk_.runs().onScreen()->id();
    const auto wish = askForKinetics(&window_, *desk_.runs().find(id), desk_.rois().rois());
    const RunItem* item = desk_.runs().find(id);  // it may have gone while the dialog was there
    if (wish && item != nullptr) {
        fitKineticsOf(desk_, *item, *wish);
    }
}

}  // namespace tof::ui
