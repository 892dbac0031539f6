// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include "ui/kit/page.h"
#include "ui/pages/figures_panel.h"
#include "ui/pages/viewer.h"

namespace tof::ui {

class Messages;
class OpenStudy;
class RoiModel;
class RunList;
class ViewModel;

/// The menus Edit and ROIs: undo, drawing, changing, placing, files.
class RoiCommands : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `window` owns it and is where dialogs stand.
    RoiCommands(CommandRegistry& commands, RunList& runs, ViewModel& view, RoiModel& rois,
                const OpenStudy& study, Messages& messages, PageStack& pages, Viewer& viewer,
                FiguresPanel& figures, QWidget& window);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// Whether the key for deleting is about the list of runs.
    [[nodiscard]] bool runsAreMeant() const;
    void addUndo();
    void addTools();
    void addPolygons();
    void addEditing();
    void addNudges();
    void addLooks();
    void addMaking();
    void addFiles();
    [[nodiscard]] QUndoStack& steps();
    /// The Edit menu says what undo and redo would do.
    void nameUndo();
    void toggleTool(Roi::Shape shape);
    /// ROIs over the picture with the frame.
    [[nodiscard]] RoiOverlay& activeRois();
    /// Empty when an ROI is selected, else the reason.
    [[nodiscard]] QString whyNoRoi() const;
    void paste();
    void addRingOfCopies();
    void addFromThreshold();
    void openFile();
    void saveFile();

    CommandRegistry& commands_;
    RunList& runs_;
    ViewModel& view_;
    RoiModel& rois_;
    const OpenStudy& study_;
    Messages& messages_;
    PageStack& pages_;
    Viewer& viewer_;
    FiguresPanel& figures_;
    QWidget& window_;
    bool runsClicked_ = false;  ///< the last click went into the list of runs
};

}  // namespace tof::ui
