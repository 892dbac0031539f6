// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pictures/picture_models.h"

#include <QObject>

#include "ui/kit/commands.h"

namespace tof::ui {

class RoiModel;
class RunList;
class ViewModel;

class MadeImages;
class Messages;
class Screen;

/// What Auto has not: a range by name, from the image on screen. "999", "max", "background-2", "-5", "-10",
/// "suv", "mu". Empty sentence: it can be used.
[[nodiscard]] QString whyNoRange(RunList& runs, const ViewModel& view, const RoiModel& rois,
                                 const QString& preset);
void useRange(RunList& runs, ViewModel& view, const RoiModel& rois, Screen& screen, const QString& preset);

/// Ranges by name, the stack of images, and images made of others.
class LayerCommands : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `window` owns it.
    LayerCommands(CommandRegistry& commands, const PictureModels& models, Screen& screen, MadeImages& made,
                  Messages& messages, QWidget& window);

  private:
    void addRanges(CommandRegistry& commands);
    void addLayers(CommandRegistry& commands);
    void addImages(CommandRegistry& commands);
    void askForName();
    void askForColour();
    void askAndMake(MadeImages::Kind kind, const QString& title);

    PictureModels models_;
    Screen& screen_;
    MadeImages& made_;
    Messages& messages_;
    QWidget& window_;
};

}  // namespace tof::ui
