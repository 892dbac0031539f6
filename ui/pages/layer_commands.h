// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/desk/made_images.h"
#include "ui/pages/workbench.h"

namespace tof::ui {

/// What Auto has not: a range by name, from the image on screen: "999", "max", "background-2", "-5", "-10",
/// and those of rangePresets(). Empty sentence: it can be used.
[[nodiscard]] QString whyNoRange(RunList& runs, const ViewModel& view, const RoiModel& rois,
                                 const QString& preset);
void useRange(RunList& runs, ViewModel& view, const RoiModel& rois, Screen& screen, const QString& preset);

/// Ranges by name, the stack of images, and images made of others.
class LayerCommands : public QObject, private Workbench {
    Q_OBJECT

  public:
    explicit LayerCommands(const Workbench& bench);

  private:
    void addRanges();
    void addLayers();
    void addImages();
    /// -1: none.
    [[nodiscard]] int layerOfSelected();
    void askForName();
    void askForColour();
    void askAndMake(MadeImages::Kind kind, const QString& title);
};

}  // namespace tof::ui
