// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pictures/picture_models.h"

#include <QObject>

#include "ui/kit/page.h"
#include "ui/pages/figures_panel.h"

namespace tof::ui {

class Messages;
class Screen;

/// Pictures, curves, profiles and the ROI table for files and the clipboard.
class ExportCommands : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `window` owns it and is where dialogs stand.
    ExportCommands(CommandRegistry& commands, const PictureModels& models, Screen& screen, Messages& messages,
                   PageStack& pages, FiguresPanel& figures, QWidget& window);
    /// What is on screen, as the start of a file's name: "A variant1, iterate 5 - B invariant, iterate 5".
    [[nodiscard]] QString shownName();
    /// The table as text, with the selected ROI as JSON beside it so that it can be pasted.
    void copyRoiTable();

  private:
    void savePictures(QWidget& pictures, const QString& name);
    void exportProfile();
    /// What the pane below the pictures shows.
    void exportPane(const CommandRegistry& commands);
    /// Program, study and every run that a curve is drawn of, as comments.
    [[nodiscard]] QString provenance() const;
    void exportCurve();

    PictureModels models_;
    Screen& screen_;
    Messages& messages_;
    PageStack& pages_;
    FiguresPanel& figures_;
    QWidget& window_;
};

}  // namespace tof::ui
