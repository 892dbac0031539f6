// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QClipboard>
#include <QStackedWidget>

#include "recon/core/error.h"
#include "ui/main_window.h"

namespace tof::ui {

void MainWindow::addRoiCommands() {
    RoiModel& rois = workspace_.roiModel();
    const auto noneSelected = [&rois] {
        return rois.selectedRoi() == nullptr ? QString("Select an ROI first: click its outline or its row")
                                             : QString();
    };
    commands_->add({.id = "edit.undo",
                    .menu = "Edit",
                    .text = "Undo",
                    .help = "Takes back the last change of an ROI, or of what the kernel lab shows",
                    .icon = "undo",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_Z)},
                    .run =
                        [this, &rois] {
                            if (centre_->currentWidget() == lab_) {
                                lab_->lab().undo();
                            } else if (!rois.abandonDrag()) {
                                rois.undo().undo();
                            }
                        },
                    .whyNot =
                        [this, &rois] {
                            if (centre_->currentWidget() == lab_) {
                                return lab_->lab().canUndo() ? QString() : QString("Nothing to undo");
                            }
                            return rois.undo().canUndo() || rois.dragging() ? QString()
                                                                            : QString("Nothing to undo");
                        }});
    commands_->add(
        {.id = "edit.redo",
         .menu = "Edit",
         .text = "Redo",
         .help = "Does again what was undone",
         .icon = "redo",
         .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)},
         .run =
             [this, &rois] {
                 if (centre_->currentWidget() == lab_) {
                     lab_->lab().redo();
                 } else {
                     rois.undo().redo();
                 }
             },
         .whyNot =
             [this, &rois] {
                 const bool can =
                     centre_->currentWidget() == lab_ ? lab_->lab().canRedo() : rois.undo().canRedo();
                 return can ? QString() : QString("Nothing to redo");
             }});
    const std::tuple<Roi::Shape, const char*, QKeySequence> tools[] = {
        {Roi::Shape::Circle, "flat, in the slice it is drawn in", QKeySequence(Qt::SHIFT | Qt::Key_C)},
        {Roi::Shape::Ellipse, "flat, axes along the picture's", QKeySequence(Qt::Key_E)},
        {Roi::Shape::Annulus, "flat ring, for backgrounds", QKeySequence(Qt::SHIFT | Qt::Key_A)},
        {Roi::Shape::Polygon, "a click per vertex, a double-click or Return ends it",
         QKeySequence(Qt::Key_P)},
        {Roi::Shape::Sphere, "solid, through all slices", QKeySequence(Qt::SHIFT | Qt::Key_S)},
        {Roi::Shape::Cylinder, "solid, its axis normal to the picture", QKeySequence(Qt::SHIFT | Qt::Key_Y)},
        {Roi::Shape::Box, "solid, sides along the axes", QKeySequence(Qt::SHIFT | Qt::Key_B)}};
    for (const auto& [shape, what, key] : tools) {
        const QString name = shapeTitle(shape);
        commands_->add(
            {.id = QString("roi.") + shapeName(shape),
             .menu = "ROIs",
             .text = name,
             .help =
                 QString("Draws a ") + QString(shapeName(shape)) + " with a drag from its centre: " + what,
             .icon = QString("roi-") + shapeName(shape),
             .keys = {key},
             .run =
                 [this, &rois, s = shape] {
                     rois.setTool(rois.tool() == s ? std::nullopt : std::optional(s));
                     workspace_.view().setFlag(ViewModel::Flag::Rois, true);
                     workspace_.view().setFlag(ViewModel::Flag::Annotations, true);
                     if (centre_->currentWidget() == viewer_) {
                         viewer_->pane(workspace_.view().activePlane())->setFocus();
                     }
                 },
             .whyNot = [this] { return workspace_.isEmpty() ? QString("Open an image first") : QString(); },
             .checked = [&rois, s = shape] { return rois.tool() == s; }});
    }
    commands_->add({.id = "roi.delete",
                    .menu = "ROIs",
                    .text = "Delete",
                    .help = "Deletes the selected ROI; Undo brings it back",
                    .icon = "delete",
                    .keys = {QKeySequence(Qt::Key_Delete)},
                    .run = [&rois] { rois.remove(rois.selected()); },
                    .whyNot = noneSelected,
                    .separatorBefore = true});
    commands_->add({.id = "roi.duplicate",
                    .menu = "ROIs",
                    .text = "Duplicate",
                    .help = "A copy of the selected ROI beside it",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_D)},
                    .run = [&rois] { rois.duplicate(rois.selected()); },
                    .whyNot = noneSelected});
}

}  // namespace tof::ui
