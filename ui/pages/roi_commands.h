// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ui/pages/workbench.h"
#include "ui/rois/roi_actions.h"

namespace tof::ui {

/// The menus Edit and ROIs: undo, drawing, changing, placing, files.
class RoiCommands : public QObject, private Workbench {
    Q_OBJECT

  public:
    explicit RoiCommands(const Workbench& bench);

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
    void addContours();
    /// Draws a contour, and says so where it ended at its reach.
    void drawContour(const ContourWish& wish);
    void addBrush();
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
    /// SUV for a stored value of 1 of the image on screen; 0 where dose or weight are not known.
    [[nodiscard]] double suvPerUnit();
    void askForBrush();
    void openFile();
    void saveFile();

    std::optional<ContourWish> cut_;  ///< the last contour, where it ended at its reach
    enum class Clicked { Other, Runs, Values };
    Clicked clicked_ =
        Clicked::Other;  ///< into the list of runs, or the table of all values, the last click went
};

}  // namespace tof::ui
