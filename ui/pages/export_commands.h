// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pages/workbench.h"

namespace tof::ui {

/// Pictures, curves, profiles and the ROI table for files and the clipboard.
class ExportCommands : public QObject, private Workbench {
    Q_OBJECT

  public:
    explicit ExportCommands(const Workbench& bench);
    /// What is on screen, as the start of a file's name: "A variant1, iterate 5 - B invariant, iterate 5".
    [[nodiscard]] QString shownName();
    /// The table as text, with the selected ROI as JSON beside it so that it can be pasted.
    void copyRoiTable();

  private:
    void savePictures(QWidget& pictures, const QString& name);
    void exportProfile();
    /// What the pane below the pictures shows.
    void exportPane();
    /// Program, study and every run that a curve is drawn of, as comments.
    [[nodiscard]] QString provenance() const;
    void exportCurve();
};

}  // namespace tof::ui
