// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/roi_commands.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QInputDialog>
#include <QMimeData>
#include <QMouseEvent>
#include <QUndoStack>

#include "ui/desk/open_study.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/uptakes.h"
#include "ui/desk/view_model.h"
#include "ui/kit/messages.h"
#include "ui/kit/save_file.h"
#include "ui/kit/text.h"
#include "ui/pages/run_commands.h"
#include "ui/pages/run_rows.h"
#include "ui/rois/roi_actions.h"
#include "ui/rois/roi_dialogs.h"
#include "ui/rois/roi_table.h"

namespace tof::ui {

namespace {

QString fileKinds() {
    return Text::tr("ROIs or label map (*.json *.nii *.nii.gz *.hv *.h5)");
}

}  // namespace

RoiCommands::RoiCommands(const Workbench& bench) : QObject(&bench.window), Workbench(bench) {
    addUndo();
    addTools();
    addEditing();
    addPolygons();
    addNudges();
    addLooks();
    addMaking();
    addFiles();
    connect(&pages, &QStackedWidget::currentChanged, this, &RoiCommands::nameUndo);
    connect(&rois.undo(), &QUndoStack::indexChanged, this, &RoiCommands::nameUndo);
    connect(&rois.undo(), &QUndoStack::canUndoChanged, &commands, &CommandRegistry::refresh);
    connect(&rois.undo(), &QUndoStack::canRedoChanged, &commands, &CommandRegistry::refresh);
    connect(&rois, &RoiModel::toolChanged, &commands, &CommandRegistry::refresh);
    connect(&rois, &RoiModel::changed, this, [this] {
        if (!rois.dragging()) {
            commands.refresh();  // nothing can be chosen meanwhile
        }
    });
}

// ---- undo ----

/// Those of the page in front where it has its own, else the ROIs'.
QUndoStack& RoiCommands::steps() {
    QUndoStack* own = pages.inFront().undoStack();
    return own != nullptr ? *own : rois.undo();
}

void RoiCommands::nameUndo() {
    const auto name = [&](const char* id, const QString& verb, const QString& step) {
        commands.action(id)->setText(step.isEmpty() ? verb : QString("%1: %2").arg(verb, step));
    };
    name("edit.undo", tr("Undo"), steps().undoText());
    name("edit.redo", tr("Redo"), steps().redoText());
}

void RoiCommands::addUndo() {
    commands.add(
        "Edit",
        {{.id = "edit.undo",
          .text = tr("Undo"),
          .help = tr(
              "Takes back the last change of an ROI, a setting or a name, or of what the kernel lab shows"),
          .icon = "undo",
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_Z)},
          .run =
              [this] {
                  if (&steps() != &rois.undo() || !rois.abandonDrag()) {
                      steps().undo();
                  }
              },
          .whyNot =
              [this] {
                  const bool drag = &steps() == &rois.undo() && rois.dragging();
                  return steps().canUndo() || drag ? QString() : tr("Nothing to undo");
              }},
         {.id = "edit.redo",
          .text = tr("Redo"),
          .help = tr("Does again what was undone"),
          .icon = "redo",
          .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)},
          .run = [this] { steps().redo(); },
          .whyNot = [this] { return steps().canRedo() ? QString() : tr("Nothing to redo"); }}});
}

// ---- drawing ----

void RoiCommands::addTools() {
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
        commands.add({.id = QString("roi.") + shapeName(shape),
                      .menu = "ROIs",
                      .text = name,
                      .help = tr("%1, drawn with a drag from its centre: %2").arg(name, what),
                      .icon = QString("roi-") + shapeName(shape),
                      .keys = {key},
                      .run = [this, s = shape] { toggleTool(s); },
                      .whyNot =
                          [this] {
                              return (study.isEmpty() && runs.items().empty()) ? tr("Open an image first")
                                                                               : QString();
                          },
                      .checked = [this, s = shape] { return rois.tool() == s; }});
    }
    addBrush();
}

void RoiCommands::toggleTool(Roi::Shape shape) {
    rois.setTool(rois.tool() == shape ? std::nullopt : std::optional(shape));
    view.setFlag(ViewModel::Flag::Rois, true);
    view.setFlag(ViewModel::Flag::Annotations, true);
    if (viewer.isInFront()) {
        viewer.pane(view.activePlane())->setFocus();
    }
}

RoiOverlay& RoiCommands::activeRois() {
    return viewer.pane(view.activePlane())->rois();
}

void RoiCommands::addPolygons() {
    const auto noneSelected = [this] { return whyNoRoi(); };
    commands.add("ROIs", {{.id = "roi.finish",
                           .text = tr("Close polygon"),
                           .help = tr("Ends the polygon that is being drawn, as Return in its picture does"),
                           .run = [this] { static_cast<void>(activeRois().finish()); },
                           .separatorBefore = true},
                          {.id = "roi.step-back",
                           .text = tr("Take back vertex"),
                           .help = tr("Of the polygon that is being drawn, as Backspace in its picture does"),
                           .run = [this] { static_cast<void>(activeRois().stepBack()); }},
                          {.id = "roi.delete-vertex",
                           .text = tr("Delete vertex"),
                           .help = tr("Takes the vertex last touched out of the selected polygon"),
                           .keys = {QKeySequence(Qt::Key_X)},
                           .scope = KeyScope::Pictures,
                           .run = [this] { static_cast<void>(activeRois().removeVertex()); },
                           .whyNot = noneSelected}});
}

// ---- the selected one ----

QString RoiCommands::whyNoRoi() const {
    return rois.selectedRoi() == nullptr ? tr("Select an ROI first: click its outline or its row")
                                         : QString();
}

void RoiCommands::addEditing() {
    const auto noneSelected = [this] { return whyNoRoi(); };
    commands.add(
        "Edit",
        {{.id = "edit.copy",
          .text = tr("Copy ROI"),
          .help = tr("Puts the selected ROI on the clipboard, as JSON: for other studies, too; the key "
                     "copies the table of all values where that was clicked last"),
          .icon = "copy",
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_C)},
          .run =
              [this] {
                  if (clicked_ == Clicked::Values) {
                      commands.trigger("export.rois");
                  } else {
                      QApplication::clipboard()->setText(rois.toJson(rois.selected()));
                  }
              },
          .whyNot = noneSelected,
          .separatorBefore = true},
         {.id = "roi.copy-all",
          .text = tr("Copy all ROIs"),
          .help = tr("Puts every ROI of the study on the clipboard, as JSON: for other studies"),
          .run = [this] { QApplication::clipboard()->setText(rois.toJson()); },
          .whyNot = [this] { return rois.isEmpty() ? tr("There are no ROIs") : QString(); }},
         {.id = "edit.paste",
          .text = tr("Paste ROIs"),
          .help = tr("Adds the ROIs on the clipboard"),
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_V)},
          .run = [this] { paste(); }},
         {.id = "edit.duplicate",
          .text = tr("Duplicate ROI"),
          .help = tr("A copy of the selected ROI beside it"),
          .keys = {QKeySequence(Qt::CTRL | Qt::Key_D)},
          .run = [this] { rois.duplicate(rois.selected()); },
          .whyNot = noneSelected},
         {.id = "edit.delete",
          .text = tr("Delete ROI"),
          .help = tr("Deletes the selected ROI, and Undo brings it back; the key deletes the "
                     "selected run where the list of runs was clicked last"),
          .icon = "delete",
          .keys = {QKeySequence(Qt::Key_Delete)},
          .run =
              [this] {
                  if (runsAreMeant()) {
                      commands.trigger("run.remove");
                  } else {
                      rois.remove(rois.selected());
                  }
              },
          .whyNot = [this] { return runsAreMeant() ? QString() : whyNoRoi(); }}});
    qApp->installEventFilter(this);
}

/// What was clicked last, or has the focus, is what the key is about.
bool RoiCommands::runsAreMeant() const {
    return clicked_ == Clicked::Runs || qobject_cast<RunRows*>(QApplication::focusWidget()) != nullptr;
}

bool RoiCommands::eventFilter(QObject* watched, QEvent* event) {
    auto* widget = event->type() == QEvent::MouseButtonPress ? qobject_cast<QWidget*>(watched) : nullptr;
    if (widget != nullptr && static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
        const Clicked clicked = qobject_cast<RunRows*>(widget) != nullptr                    ? Clicked::Runs
                                : qobject_cast<RoiTable*>(widget->parentWidget()) != nullptr ? Clicked::Values
                                                                                             : Clicked::Other;
        if (clicked != clicked_) {
            clicked_ = clicked;
            commands.refresh();
        }
    }
    return QObject::eventFilter(watched, event);
}

void RoiCommands::paste() {
    messages.guard(tr("ROIs"), [this] {
        const QMimeData* held = QApplication::clipboard()->mimeData();
        const QString json = held != nullptr && held->hasFormat(kRoisMime)
                                 ? QString::fromUtf8(held->data(kRoisMime))
                                 : QApplication::clipboard()->text();
        addRois(rois, json, "clipboard");
    });
}

void RoiCommands::addNudges() {
    const auto noneSelected = [this] { return whyNoRoi(); };
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
            commands.add(
                {.id = QString(fine ? "roi.nudge-fine-" : "roi.nudge-") + id,
                 .menu = "ROIs",
                 .text = fine ? fineText : text,
                 .help = fine ? tr("The selected ROI by a tenth of a voxel, in the picture with the frame")
                              : tr("The selected ROI by a voxel, in the picture with the frame"),
                 .keys = {QKeySequence(QKeyCombination(keys, static_cast<Qt::Key>(key)))},
                 .scope = KeyScope::Pictures,
                 .run = [this, r = right * step,
                         d = down * step] { messages.guard(tr("ROIs"), [&] { nudge(rois, view, r, d); }); },
                 .whyNot = noneSelected});
        }
    }
}

void RoiCommands::addLooks() {
    const auto noneSelected = [this] { return whyNoRoi(); };
    commands.add(
        {.id = "roi.lock",
         .menu = "ROIs",
         .text = tr("Locked"),
         .help = tr("The mouse leaves the selected ROI alone"),
         .keys = {QKeySequence(Qt::SHIFT | Qt::Key_L)},
         .run =
             [this] {
                 Roi roi = *rois.selectedRoi();
                 roi.locked = !roi.locked;
                 rois.change(
                     rois.selected(), roi,
                     (roi.locked ? tr("Lock %1") : tr("Unlock %1")).arg(QString::fromStdString(roi.name)));
             },
         .whyNot = noneSelected,
         .checked = [this] { return rois.selectedRoi() != nullptr && rois.selectedRoi()->locked; }});
    for (const Roi::Role role :
         {Roi::Role::Sphere, Roi::Role::Background, Roi::Role::Uniform, Roi::Role::None}) {
        const QString name = role == Roi::Role::None ? QString("none") : QString(roleName(role));
        commands.add(
            {.id = "roi.role-" + name,
             .menu = "ROIs",
             .text = tr("Role: %1").arg(word(name.toStdString())),
             .help = role == Roi::Role::Sphere ? tr("A target: its background gives CRC")
                     : role == Roi::Role::Background
                         ? tr("Background of the sphere inside it, else of all that have none of their own")
                     : role == Roi::Role::Uniform
                         ? tr("Uniform region: noise (the first one), NSR, background of contrast recovery")
                         : tr("Measured only"),
             .run = [this, role] { messages.guard(tr("ROIs"), [&] { setRole(rois, role); }); },
             .whyNot = noneSelected,
             .checked = [this,
                         role] { return rois.selectedRoi() != nullptr && rois.selectedRoi()->role == role; },
             .separatorBefore = role == Roi::Role::Sphere});
    }
}

// ---- new ones ----

void RoiCommands::addMaking() {
    const auto noneSelected = [this] { return whyNoRoi(); };
    commands.add("ROIs",
                 {{.id = "roi.ring",
                   .text = tr("Ring of copies..."),
                   .help = tr("Copies of the selected ROI, evenly spread about an axis"),
                   .run = [this] { addRingOfCopies(); },
                   .whyNot = noneSelected,
                   .separatorBefore = true},
                  {.id = "roi.threshold",
                   .text = tr("From threshold..."),
                   .help = tr("Connected voxels around the cursor above a share of the largest value there"),
                   .keys = {QKeySequence(Qt::Key_T)},
                   .run = [this] { addFromThreshold(); },
                   .whyNot = [this] { return whyNoImage(runs); }}});
    addContours();
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
        commands.add(
            {.id = id,
             .menu = "ROIs",
             .text = text,
             .help = help,
             .run =
                 [this, p = placement] {
                     messages.guard(tr("ROIs"), [&] { placeFromPhantom(rois, study.phantom(), p); });
                 },
             .whyNot =
                 [this] { return study.phantom().empty() ? tr("The data name no phantom") : QString(); }});
    }
}

void RoiCommands::addRingOfCopies() {
    // About the axis of the scanner, in the middle of most phantoms.
    if (const auto request = askForRing({}, &window)) {
        messages.guard(tr("ROIs"), [&] { addRing(rois, request->copies, request->about); });
    }
}

double RoiCommands::suvPerUnit() {
    const RunItem* item = runs.onScreen();
    const Uptakes::Entry* entry = item != nullptr ? uptakes.of(*item) : nullptr;
    const auto suv = entry != nullptr ? screen.suvOf(*item, entry->uptake) : std::nullopt;
    const bool stored = item != nullptr && screen.unitOf(*item).name.startsWith(kSuv);
    return suv ? suv->factor : stored ? screen.unitOf(*item).factor : 0;
}

/// Levels that people know by a name, around the cursor.
void RoiCommands::addContours() {
    for (const ContourRule& rule : contourRules()) {
        commands.add({.id = QString::fromStdString("roi.contour-" + rule.id),
                      .menu = "ROIs",
                      .text = word(rule.label),
                      .help = word(rule.help),
                      .run =
                          [this, rule] {
                              drawContour({rule, view.cursor(), suvPerUnit()});
                          },
                      .whyNot =
                          [this, rule] {
                              return runs.image() == nullptr ? whyNoImage(runs)
                                     : rule.of == LevelOf::Uptake && !(suvPerUnit() > 0)
                                         ? tr("Body weight and dose are not known: Tools > SUV")
                                     : rule.of == LevelOf::Reference && rois.find("liver") < 0
                                         ? tr("No ROI is called liver: draw a sphere of 30 mm there")
                                         : QString();
                          }});
    }
    commands.add({.id = "roi.contour-farther",
                  .menu = "ROIs",
                  .text = tr("Contour with twice the reach"),
                  .help = tr("Draws the last contour again, twice as far from where the cursor was"),
                  .run =
                      [this] {
                          ContourWish wish = *cut_;
                          wish.reach_mm *= 2;
                          drawContour(wish);
                      },
                  .whyNot =
                      [this] {
                          const bool cut = cut_ && rois.find(cut_->instead) >= 0;
                          return cut ? whyNoImage(runs) : tr("No contour has ended at its reach");
                      },
                  .separatorBefore = true});
}

void RoiCommands::drawContour(const ContourWish& wish) {
    cut_.reset();
    messages.guard(tr("Contour"), [&] {
        const ContourMade contour = addContour(runs, rois, wish);
        if (!contour.cut) {
            return;
        }
        cut_ = wish;
        cut_->instead = contour.name;
        messages.add(
            Severity::Warning,
            tr("%1 was cut %2 mm from the cursor, and the image goes on above its level: ROIs > Contour in "
               "3-D > Contour with twice the reach looks farther")
                .arg(contour.name)
                .arg(wish.reach_mm));
    });
}

void RoiCommands::addBrush() {
    const auto nothing = [this] {
        return study.isEmpty() && runs.items().empty() ? tr("Open an image first") : QString();
    };
    commands.add(
        "ROIs",
        {{.id = "roi.brush",
          .text = tr("Brush"),
          .help = tr("A drag paints voxels of a ball into the selected region, or into a new one; with Alt "
                     "or Ctrl it takes them out"),
          .keys = {QKeySequence(Qt::SHIFT | Qt::Key_P)},
          .run = [this] { toggleTool(Roi::Shape::Region); },
          .whyNot = nothing,
          .checked = [this] { return rois.tool() == Roi::Shape::Region; }},
         {.id = "roi.brush-size",
          .text = tr("Size of the brush..."),
          .help = tr("Radius of the ball that the brush paints with, mm"),
          .run = [this] { askForBrush(); },
          .whyNot = nothing}});
}

void RoiCommands::askForBrush() {
    Roi brush = rois.lastDrawn(Roi::Shape::Region);
    bool ok = false;
    brush.radius_mm = QInputDialog::getDouble(&window, tr("Size of the brush"), tr("Radius in mm"),
                                              brush.radius_mm, 0.1, 200, 1, &ok);
    if (ok) {
        rois.rememberDrawn(brush);
        view.setFlag(ViewModel::Flag::Rois, true);
    }
}

void RoiCommands::addFromThreshold() {
    if (const auto request = askForThreshold({}, &window)) {
        messages.guard(tr("ROIs"), [&] {
            addThreshold(runs, view, rois, request->percent / 100, request->reach_mm, request->kind);
        });
    }
}

// ---- files ----

void RoiCommands::addFiles() {
    const auto none = [this] { return rois.rois().empty() ? tr("There are no ROIs") : QString(); };
    commands.add(
        "ROIs",
        {{.id = "roi.open",
          .text = tr("Open ROIs..."),
          .help = tr("From JSON, or a region per label of a volume, in the place of those that are there"),
          .icon = "open",
          .run = [this] { openFile(); },
          .separatorBefore = true},
         {.id = "roi.save",
          .text = tr("Save ROIs as..."),
          .help = tr("As JSON, or as a label map on the lattice of the image on screen"),
          .run = [this] { saveFile(); },
          .whyNot = none},
         {.id = "roi.save-table",
          .text = tr("Save table..."),
          .help = tr("Every ROI with every value, tab separated, below the definitions"),
          .icon = "export",
          .run =
              [this] {
                  saveTextAs(window, messages, tr("Save ROI table"), "rois.tsv", figures.roiTableFile());
              },
          .whyNot = none}});
}

void RoiCommands::openFile() {
    const QString file = QFileDialog::getOpenFileName(&window, tr("Open ROIs"), {}, fileKinds());
    if (!file.isEmpty()) {
        const auto set = std::make_shared<RoiSet>();
        tasks.add(
            tr("Reading ROIs"),
            [set, file, ratio = rois.set().trueRatio](TaskControl& control) {
                *set = readRois(file, ratio, [&control] { control.checkpoint(); });
            },
            [this, set] { rois.replaceAll(std::move(*set), tr("Open ROIs")); });
    }
}

void RoiCommands::saveFile() {
    const QString file = QFileDialog::getSaveFileName(&window, tr("Save ROIs"), "rois.json", fileKinds());
    if (!file.isEmpty()) {
        tasks.add(
            tr("Saving ROIs"),
            [set = rois.set(), lattice = view.lattice(), path = file.toStdString()](TaskControl& control) {
                writeRois({path, [&control] { control.checkpoint(); }}, set, lattice);
            },
            [this, file] { messages.written(file); });
    }
}

}  // namespace tof::ui
