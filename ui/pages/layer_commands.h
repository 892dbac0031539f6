// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include "ui/desk/desk.h"
#include "ui/kit/commands.h"

namespace tof::ui {

/// What Auto has not: a range by name, from the image on screen. "999", "max", "background-2", "-5", "-10",
/// "suv", "mu". Empty sentence: it can be used.
[[nodiscard]] QString whyNoRange(Desk& desk, const QString& preset);
void useRange(Desk& desk, const QString& preset);

/// Ranges by name, the stack of images, and images made of others.
class LayerCommands : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `window` owns it.
    LayerCommands(CommandRegistry& commands, Desk& desk, QWidget& window);

  private:
    void addRanges(CommandRegistry& commands);
    void addLayers(CommandRegistry& commands);
    void addImages(CommandRegistry& commands);
    void askForName();
    void askForColour();
    void askAndMake(MadeImages::Kind kind, const QString& title);

    Desk& desk_;
    QWidget& window_;
};

}  // namespace tof::ui
