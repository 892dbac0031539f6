// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonObject>
#include <QMimeData>
#include <QStackedWidget>

#include "ui/kit/text.h"
#include "ui/rois/roi_dialogs.h"
#include "ui/window/main_window.h"

namespace tof::ui {

void MainWindow::addRoiCommands() {
    RoiModel& rois = workspace_.roiModel();
    commands_->add({.id = "edit.undo",
                    .menu = "Edit",
                    .text = tr("Undo"),
                    .help = tr("Takes back the last change of an ROI, or of what the kernel lab shows"),
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
                                return lab_->lab().canUndo() ? QString() : tr("Nothing to undo");
                            }
                            return rois.undo().canUndo() || rois.dragging() ? QString()
                                                                            : tr("Nothing to undo");
                        }});
    commands_->add(
        {.id = "edit.redo",
         .menu = "Edit",
         .text = tr("Redo"),
         .help = tr("Does again what was undone"),
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
                 return can ? QString() : tr("Nothing to redo");
             }});
    const std::tuple<Roi::Shape, QString, QKeySequence> tools[] = {
        {Roi::Shape::Circle, tr("flat, in the slice it is drawn in"), QKeySequence(Qt::SHIFT | Qt::Key_C)},
        {Roi::Shape::Ellipse, tr("flat, axes along the picture's"), QKeySequence(Qt::Key_E)},
        {Roi::Shape::Annulus, tr("flat ring, for backgrounds"), QKeySequence(Qt::SHIFT | Qt::Key_A)},
        {Roi::Shape::Polygon, tr("a click per vertex, a double-click or Return ends it"),
         QKeySequence(Qt::Key_P)},
        {Roi::Shape::Sphere, tr("solid, through all slices"), QKeySequence(Qt::SHIFT | Qt::Key_S)},
        {Roi::Shape::Cylinder, tr("solid, its axis normal to the picture"),
         QKeySequence(Qt::SHIFT | Qt::Key_Y)},
        {Roi::Shape::Box, tr("solid, sides along the axes"), QKeySequence(Qt::SHIFT | Qt::Key_B)}};
    for (const auto& [shape, what, key] : tools) {
        const QString name = shapeTitle(shape);
        commands_->add(
            {.id = QString("roi.") + shapeName(shape),
             .menu = "ROIs",
             .text = name,
             .help = tr("%1, drawn with a drag from its centre: %2").arg(name, what),
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
             .whyNot = [this] { return workspace_.isEmpty() ? tr("Open an image first") : QString(); },
             .checked = [&rois, s = shape] { return rois.tool() == s; }});
    }
    addRoiEditCommands();
    addRoiMakingCommands();
    addRoiFileCommands();
    addMatchedCommands();
}

void MainWindow::nameUndo() {
    const QUndoStack& undo = workspace_.roiModel().undo();
    const bool lab = centre_->currentWidget() == lab_;  // it has steps of its own
    const auto name = [&](const char* id, const QString& verb, const QString& step) {
        const QString text = step.isEmpty() || lab ? verb : QString("%1: %2").arg(verb, step);
        commands_->action(id)->setText(text);
    };
    name("edit.undo", tr("Undo"), undo.undoText());
    name("edit.redo", tr("Redo"), undo.redoText());
}

QString MainWindow::whyNoRoi() const {
    return workspace_.roiModel().selectedRoi() == nullptr
               ? tr("Select an ROI first: click its outline or its row")
               : QString();
}

void MainWindow::addRoiEditCommands() {
    RoiModel& rois = workspace_.roiModel();
    const auto noneSelected = [this] { return whyNoRoi(); };
    commands_->add({.id = "edit.copy",
                    .menu = "Edit",
                    .text = tr("Copy ROI"),
                    .help = tr("Puts the selected ROI on the clipboard, as JSON: for other studies, too"),
                    .icon = "copy",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_C)},
                    .run = [&rois] { QApplication::clipboard()->setText(rois.toJson(rois.selected())); },
                    .whyNot = noneSelected,
                    .separatorBefore = true});
    commands_->add({.id = "roi.copy-all",
                    .menu = "Edit",
                    .text = tr("Copy all ROIs"),
                    .help = tr("Puts every ROI of the study on the clipboard, as JSON: for other studies"),
                    .run = [&rois] { QApplication::clipboard()->setText(rois.toJson()); },
                    .whyNot = [&rois] { return rois.isEmpty() ? tr("There are no ROIs") : QString(); }});
    commands_->add({.id = "edit.paste",
                    .menu = "Edit",
                    .text = tr("Paste ROIs"),
                    .help = tr("Adds the ROIs on the clipboard"),
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_V)},
                    .run = [this] {
                        carefully(tr("ROIs"), [this] {
                            const QMimeData* held = QApplication::clipboard()->mimeData();
                            const QString json = held != nullptr && held->hasFormat(kRoisMime)
                                                     ? QString::fromUtf8(held->data(kRoisMime))
                                                     : QApplication::clipboard()->text();
                            addRois(workspace_, json, "clipboard");
                        });
                    }});
    commands_->add({.id = "edit.duplicate",
                    .menu = "Edit",
                    .text = tr("Duplicate ROI"),
                    .help = tr("A copy of the selected ROI beside it"),
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_D)},
                    .run = [&rois] { rois.duplicate(rois.selected()); },
                    .whyNot = noneSelected});
    commands_->add({.id = "edit.delete",
                    .menu = "Edit",
                    .text = tr("Delete ROI"),
                    .help = tr("Deletes the selected ROI; Undo brings it back"),
                    .icon = "delete",
                    .keys = {QKeySequence(Qt::Key_Delete)},
                    .run = [&rois] { rois.remove(rois.selected()); },
                    .whyNot = noneSelected});
    commands_->add({.id = "roi.finish",
                    .menu = "ROIs",
                    .text = tr("Close polygon"),
                    .help = tr("Ends the polygon that is being drawn, as Return in its picture does"),
                    .run = [this] { static_cast<void>(activeRois().finish()); },
                    .separatorBefore = true});
    commands_->add({.id = "roi.step-back",
                    .menu = "ROIs",
                    .text = tr("Take back vertex"),
                    .help = tr("Of the polygon that is being drawn, as Backspace in its picture does"),
                    .run = [this] { static_cast<void>(activeRois().stepBack()); }});
    commands_->add({.id = "roi.delete-vertex",
                    .menu = "ROIs",
                    .text = tr("Delete vertex"),
                    .help = tr("Takes the vertex last touched out of the selected polygon"),
                    .keys = {QKeySequence(Qt::Key_X)},
                    .scope = KeyScope::Pictures,
                    .run = [this] { static_cast<void>(activeRois().removeVertex()); },
                    .whyNot = noneSelected});
    const std::tuple<const char*, QString, QString, int, double, double> arrows[] = {
        {"left", tr("Move ROI left"), tr("Move ROI left a little"), Qt::Key_Left, -1, 0},
        {"right", tr("Move ROI right"), tr("Move ROI right a little"), Qt::Key_Right, 1, 0},
        {"up", tr("Move ROI up"), tr("Move ROI up a little"), Qt::Key_Up, 0, -1},
        {"down", tr("Move ROI down"), tr("Move ROI down a little"), Qt::Key_Down, 0, 1}};
    for (const bool fine : {false, true}) {
        for (const auto& [id, text, fineText, key, right, down] : arrows) {
            const Qt::KeyboardModifiers keys =
                fine ? Qt::KeyboardModifiers(Qt::AltModifier | Qt::ShiftModifier) : Qt::AltModifier;
            const double step = fine ? 0.1 : 1;
            commands_->add(
                {.id = QString(fine ? "roi.nudge-fine-" : "roi.nudge-") + id,
                 .menu = "ROIs",
                 .text = fine ? fineText : text,
                 .help = fine ? tr("The selected ROI by a tenth of a voxel, in the picture with the frame")
                              : tr("The selected ROI by a voxel, in the picture with the frame"),
                 .keys = {QKeySequence(QKeyCombination(keys, static_cast<Qt::Key>(key)))},
                 .scope = KeyScope::Pictures,
                 .run = [this, r = right * step,
                         d = down * step] { carefully(tr("ROIs"), [&] { nudge(workspace_, r, d); }); },
                 .whyNot = noneSelected});
        }
    }
    commands_->add(
        {.id = "roi.lock",
         .menu = "ROIs",
         .text = tr("Locked"),
         .help = tr("The mouse leaves the selected ROI alone"),
         .keys = {QKeySequence(Qt::SHIFT | Qt::Key_L)},
         .run =
             [&rois] {
                 Roi roi = *rois.selectedRoi();
                 roi.locked = !roi.locked;
                 rois.change(
                     rois.selected(), roi,
                     (roi.locked ? tr("Lock %1") : tr("Unlock %1")).arg(QString::fromStdString(roi.name)));
             },
         .whyNot = noneSelected,
         .checked = [&rois] { return rois.selectedRoi() != nullptr && rois.selectedRoi()->locked; }});
    for (const Roi::Role role :
         {Roi::Role::Sphere, Roi::Role::Background, Roi::Role::Uniform, Roi::Role::None}) {
        const QString name = role == Roi::Role::None ? QString("none") : QString(roleName(role));
        commands_->add(
            {.id = "roi.role-" + name,
             .menu = "ROIs",
             .text = tr("Role: %1").arg(word(name.toStdString())),
             .help = role == Roi::Role::Sphere ? tr("A target: its background gives CRC")
                     : role == Roi::Role::Background
                         ? tr("Background of the sphere inside it, else of all that have none of their own")
                     : role == Roi::Role::Uniform
                         ? tr("Uniform region: noise (the first one), NSR, background of contrast recovery")
                         : tr("Measured only"),
             .run = [this, role] { carefully(tr("ROIs"), [&] { setRole(workspace_, role); }); },
             .whyNot = noneSelected,
             .checked = [&rois,
                         role] { return rois.selectedRoi() != nullptr && rois.selectedRoi()->role == role; },
             .separatorBefore = role == Roi::Role::Sphere});
    }
}

RoiOverlay& MainWindow::activeRois() {
    return viewer_->pane(workspace_.view().activePlane())->rois();
}

void MainWindow::addRoiMakingCommands() {
    const auto noneSelected = [this] { return whyNoRoi(); };
    commands_->add({.id = "roi.ring",
                    .menu = "ROIs",
                    .text = tr("Ring of copies..."),
                    .help = tr("Copies of the selected ROI, evenly spread about an axis"),
                    .run =
                        [this] {
                            // About the axis of the scanner, in the middle of most phantoms.
                            if (const auto request = askForRing({}, this)) {
                                carefully(tr("ROIs"),
                                          [&] { addRing(workspace_, request->copies, request->about); });
                            }
                        },
                    .whyNot = noneSelected,
                    .separatorBefore = true});
    commands_->add({.id = "roi.threshold",
                    .menu = "ROIs",
                    .text = tr("From threshold..."),
                    .help = tr("Connected voxels around the cursor above a share of the largest value there"),
                    .keys = {QKeySequence(Qt::Key_T)},
                    .run =
                        [this] {
                            if (const auto request = askForThreshold({}, this)) {
                                carefully(tr("ROIs"), [&] {
                                    addThreshold(workspace_, request->percent / 100, request->reach_mm,
                                                 request->kind);
                                });
                            }
                        },
                    .whyNot =
                        [this] {
                            RunItem* item = workspace_.runs().selected();
                            return item != nullptr && item->volume() != nullptr ? QString()
                                                                                : tr("There is no image yet");
                        }});
    const std::tuple<const char*, QString, QString, Placement> placements[] = {
        {"roi.place", tr("Place from phantom"),
         tr("Spheres, their backgrounds and the uniform circle of the phantom, in the place of the ROIs that "
            "are there"),
         Placement::Crc},
        {"roi.place-recovery", tr("Place for contrast recovery"),
         tr("Hot and cold spheres and eight background circles of the phantom, in the place of the ROIs that "
            "are there"),
         Placement::Recovery}};
    for (const auto& [id, text, help, placement] : placements) {
        commands_->add(
            {.id = id,
             .menu = "ROIs",
             .text = text,
             .help = help,
             .run = [this,
                     p = placement] { carefully(tr("ROIs"), [&] { placeFromPhantom(workspace_, p); }); },
             .whyNot =
                 [this] {
                     return workspace_.phantom().empty() ? tr("The data name no phantom") : QString();
                 }});
    }
}

void MainWindow::addMatchedCommands() {
    commands_->add({.id = "page.matched",
                    .menu = "Curves",
                    .text = tr("Matched noise"),
                    .help = tr("Of every run the iterate nearest to a level of noise, side by side"),
                    .icon = "layout-row",
                    .keys = {QKeySequence(Qt::SHIFT | Qt::Key_M)},
                    .run =
                        [this] {
                            centre_->setCurrentWidget(centre_->currentWidget() == matched_
                                                          ? static_cast<QWidget*>(viewer_)
                                                          : matched_);
                            refresh();
                        },
                    .whyNot = [this] { return matched_->whyNot(); },
                    .checked = [this] { return centre_->currentWidget() == matched_; }});
}

void MainWindow::addRoiFileCommands() {
    const auto none = [this] { return workspace_.rois().rois.empty() ? tr("There are no ROIs") : QString(); };
    const QString kinds = tr("ROIs or label map (*.json *.nii *.nii.gz *.hv *.h5)");
    commands_->add(
        {.id = "roi.open",
         .menu = "ROIs",
         .text = tr("Open ROIs..."),
         .help = tr("From JSON, or a region per label of a volume, in the place of those that are there"),
         .icon = "open",
         .run =
             [this, kinds] {
                 const QString file = QFileDialog::getOpenFileName(this, tr("Open ROIs"), {}, kinds);
                 if (!file.isEmpty()) {
                     carefully(tr("ROIs"), [&] { loadRois(workspace_, file); });
                 }
             },
         .separatorBefore = true});
    commands_->add({.id = "roi.save",
                    .menu = "ROIs",
                    .text = tr("Save ROIs as..."),
                    .help = tr("As JSON, or as a label map on the lattice of the image on screen"),
                    .run =
                        [this, kinds] {
                            const QString file =
                                QFileDialog::getSaveFileName(this, tr("Save ROIs"), "rois.json", kinds);
                            if (!file.isEmpty()) {
                                carefully(tr("ROIs"), [&] { saveRois(workspace_, file); });
                            }
                        },
                    .whyNot = none});
    commands_->add({.id = "roi.save-table",
                    .menu = "ROIs",
                    .text = tr("Save table..."),
                    .help = tr("Every ROI with every value, tab separated, below the definitions"),
                    .icon = "export",
                    .run = [this] { saveText(tr("Save ROI table"), "rois.tsv", roiTableFile()); },
                    .whyNot = none});
}

void MainWindow::addRoiSession() {
    workspace_.session().add(
        {"curves",
         [this] {
             const RoiTable::Sorting sorting = viewer_->roiTable()->sorting();
             QJsonObject o{{"kind", figures_->chart()->kind().id()},
                           {"numbers", !figures_->editor()->isHidden()},
                           {"sorted_by", sorting.column},
                           {"descending", sorting.descending}};
             if (const auto ends = figures_->chart()->ends()) {
                 o["ends"] = QJsonArray{(*ends)[0], (*ends)[1], (*ends)[2], (*ends)[3]};
             }
             if (matched_->level()) {
                 o["matched_noise"] = *matched_->level();
             }
             return o;
         },
         [this](const QJsonObject& saved) {
             for (const CurveKind& kind : curveKinds()) {
                 if (saved["kind"].toString() == kind.id()) {
                     figures_->chart()->setKind(kind);
                 }
             }
             const RoiTable::Sorting sorting = viewer_->roiTable()->sorting();
             viewer_->roiTable()->sortBy(
                 {saved["sorted_by"].toInt(sorting.column), saved["descending"].toBool(sorting.descending)});
             const QJsonArray ends = saved["ends"].toArray();
             if (ends.size() == 4) {
                 figures_->chart()->setEnds(
                     {ends[0].toDouble(), ends[1].toDouble(), ends[2].toDouble(), ends[3].toDouble()});
             }
             figures_->showEditor(saved["numbers"].toBool(!figures_->editor()->isHidden()));
             matched_->setLevel(saved["matched_noise"].toDouble());
         }});
}

QString MainWindow::roiTableFile() const {
    return exportHeader(workspace_) + figures_->roiTable();
}

}  // namespace tof::ui
