// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/kit/page.h"
#include "ui/pages/figures_panel.h"
#include "ui/pages/viewer.h"
#include "ui/pictures/picture_models.h"

namespace tof::ui {

class MadeImages;
class Messages;
class Screen;
class TaskQueue;
class Uptakes;

/// What the commands of the pictures work on, and the window that owns them and where their dialogs stand.
/// All of it outlives whoever holds this.
struct Workbench : PictureModels {
    CommandRegistry& commands;
    Screen& screen;
    MadeImages& made;
    Uptakes& uptakes;
    Messages& messages;
    TaskQueue& tasks;
    PageStack& pages;
    Viewer& viewer;
    FiguresPanel& figures;
    QWidget& window;
};

}  // namespace tof::ui
