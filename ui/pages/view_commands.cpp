// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/view_commands.h"

#include <QApplication>
#include <QInputDialog>
#include <limits>

#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/undo_step.h"
#include "ui/pages/run_commands.h"

namespace tof::ui {

namespace {

/// Across the picture with the frame, a third of the object long.
ProfileLine lineThroughCursor(const ViewModel& view) {
    const int axis = viz::planeAxes(view.activePlane(), view.orientation()).across;
    const double reach =
        (viz::coordinate(view.fitted().high, axis) - viz::coordinate(view.fitted().low, axis)) / 6;
    const Vec3 along = view.turnOf(view.activePlane()).axes[static_cast<std::size_t>(axis)];
    return {view.cursor() - reach * along, view.cursor() + reach * along};
}

}  // namespace

ViewCommands::ViewCommands(const Workbench& bench)
    : QObject(&bench.window), Workbench(bench), cine_(runs, view, this) {
    connect(&view, &ViewModel::changed, &commands, &CommandRegistry::refresh);
    addLayouts();
    addPlanes();
    addFlags();
    addTurns();
    addRanges();
    addSlabs();
    addCharts();
    addCine();
}

void ViewCommands::addLayouts() {
    const std::tuple<Layout, QString, QString, const char*, int> layouts[] = {
        {Layout::Main, tr("Large transverse"), tr("Transverse over two rows, coronal and sagittal beside it"),
         "layout-main", Qt::Key_1},
        {Layout::Grid, tr("Grid"), tr("Three pictures and the profile, equal in size"), "layout-grid",
         Qt::Key_2},
        {Layout::Solid, tr("Grid with 3-D"), tr("Three pictures and the image from outside, equal in size"),
         "layout-solid", Qt::Key_8},
        {Layout::Row, tr("Row"), tr("Three pictures beside each other"), "layout-row", Qt::Key_3},
        {Layout::Single, tr("Single picture"), tr("The picture with the frame alone"), "layout-single",
         Qt::Key_4}};
    for (const auto& [layout, text, help, icon, key] : layouts) {
        commands.add({.id = "layout." + layoutName(layout),
                      .menu = "View",
                      .text = text,
                      .help = help,
                      .icon = icon,
                      .keys = {QKeySequence(key)},
                      .run = [this, l = layout] { view.setLayout(l); },
                      .checked = [this, l = layout] { return view.layout() == l; }});
    }
}

void ViewCommands::addPlanes() {
    const std::tuple<Plane, const char*, QString, int> planes[] = {
        {Plane::Transverse, "plane.transverse", tr("Transverse"), Qt::Key_A},
        {Plane::Sagittal, "plane.sagittal", tr("Sagittal"), Qt::Key_S},
        {Plane::Coronal, "plane.coronal", tr("Coronal"), Qt::Key_C}};
    for (const auto& [plane, id, text, key] : planes) {
        commands.add({.id = id,
                      .menu = "View",
                      .text = text,
                      .help = tr("Moves the frame, and the keys, to this picture"),
                      .keys = {QKeySequence(key)},
                      .run =
                          [this, p = plane] {
                              view.setActivePlane(p);
                              viewer.pane(p)->setFocus();
                          },
                      .checked = [this, p = plane] { return view.activePlane() == p; },
                      .separatorBefore = plane == Plane::Transverse});
    }
    const std::tuple<const char*, QString, QKeySequence, int> steps[] = {
        {"slice.up", tr("Next slice"), QKeySequence(Qt::Key_Up), 1},
        {"slice.down", tr("Previous slice"), QKeySequence(Qt::Key_Down), -1},
        {"slice.up-ten", tr("Ten slices on"), QKeySequence(Qt::SHIFT | Qt::Key_Up), 10},
        {"slice.down-ten", tr("Ten slices back"), QKeySequence(Qt::SHIFT | Qt::Key_Down), -10}};
    for (const auto& [id, text, key, step] : steps) {
        commands.add({.id = id,
                      .menu = "View",
                      .text = text,
                      .help = tr("Moves the cursor along the normal of the picture with the frame"),
                      .keys = {key},
                      .scope = KeyScope::Pictures,
                      .run = [this, n = step] { view.stepSlice(view.activePlane(), n); }});
    }
}

void ViewCommands::addFlags() {
    const auto flag = [&](const char* id, const QString& text, const QString& help, const char* icon,
                          QKeySequence key, KeyScope scope, ViewModel::Flag which) {
        commands.add({.id = id,
                      .menu = "View",
                      .text = text,
                      .help = help,
                      .icon = icon,
                      .keys = {key},
                      .scope = scope,
                      .run = [this, which] { view.setFlag(which, !view.flag(which)); },
                      .checked = [this, which] { return view.flag(which); }});
    };
    using Flag = ViewModel::Flag;
    flag("view.annotations", tr("Annotations"), tr("Everything painted over the pictures"), "eye",
         QKeySequence(Qt::Key_Space), KeyScope::Pictures, Flag::Annotations);
    flag("view.crosshair", tr("Crosshair"), tr("The cursor's lines; the cursor itself stays"), "crosshair",
         QKeySequence(Qt::Key_F), KeyScope::Window, Flag::Crosshair);
    flag("view.colour-bar", tr("Colour bar"), tr("Colours and their values"), "", QKeySequence(Qt::Key_B),
         KeyScope::Window, Flag::ColourBar);
    flag("view.letters", tr("Orientation letters"), tr("R, L, A, P, S, I at the edges"), "",
         QKeySequence(Qt::Key_O), KeyScope::Window, Flag::Letters);
    flag("view.voxel-info", tr("Voxel read-out"),
         tr("Values of every run under the cursor, below the pictures"), "", QKeySequence(Qt::Key_V),
         KeyScope::Window, Flag::VoxelInfo);
    flag("view.rois", tr("ROIs"), tr("Outlines of the regions of interest"), "roi",
         QKeySequence(Qt::SHIFT | Qt::Key_O), KeyScope::Window, Flag::Rois);
    flag("view.interpolation", tr("Interpolation"),
         tr("Smooth between voxels; off shows every voxel as it is (off at the start)"), "interpolation",
         QKeySequence(Qt::Key_I), KeyScope::Window, Flag::Interpolation);
    flag("view.cubic", tr("Cubic interpolation"),
         tr("Where pictures are interpolated, through four voxels each way in place of two"), "",
         QKeySequence(Qt::SHIFT | Qt::Key_I), KeyScope::Window, Flag::Cubic);
    flag(
        "view.turn", tr("Turn the planes"),
        tr("Handles on the crosshair: a drag turns the other two planes about the cursor, with Shift by 15°"),
        "", QKeySequence(Qt::SHIFT | Qt::Key_K), KeyScope::Window, Flag::Turning);
}

void ViewCommands::addTurns() {
    commands.add({.id = "view.straighten",
                  .menu = "View",
                  .text = tr("Straighten the planes"),
                  .help = tr("Transverse, sagittal and coronal again, through the same cursor"),
                  .keys = {QKeySequence(Qt::SHIFT | Qt::Key_G)},
                  .run =
                      [this] {
                          rois.undo().push(
                              new UndoStep<viz::Turn>(tr("Straighten the planes"), view.turn(), viz::Turn(),
                                                      [this](const viz::Turn& turn) { view.setTurn(turn); }));
                      },
                  .whyNot = [this] { return view.turn().isNone() ? tr("No plane is turned") : QString(); }});
}

void ViewCommands::addRanges() {
    commands.add(
        "View",
        {{.id = "view.invert",
          .text = tr("Invert colours"),
          .help = tr("The colour map in the opposite order"),
          .keys = {QKeySequence(Qt::Key_U)},
          .run = [this] { view.setInverted(!view.inverted()); },
          .checked = [this] { return view.inverted(); }},
         {.id = "view.auto",
          .text = tr("Auto range"),
          .brief = tr("Auto"),
          .help = tr("Display range from 0 to the 99.99th percentile of the image on screen"),
          .run =
              [this] {
                  view.resetRange();
                  runs.touch();  // offers the image on screen
              },
          .checked = [this] { return view.autoRange(); }},
         {.id = "view.reset",
          .text = tr("Reset view"),
          .help = tr("Fits the object: zoom and pan as at the start"),
          .keys = {QKeySequence(Qt::Key_R)},
          .run = [this] { view.resetView(); }},
         {.id = "view.lattice",
          .text = tr("Show the whole lattice"),
          .help = tr("Zooms out until every voxel is in the pictures"),
          .keys = {QKeySequence(Qt::SHIFT | Qt::Key_R)},
          .run = [this] { view.showLattice(); }},
         {.id = "view.escape",
          .text = tr("Back"),
          .help = tr("Puts back what is being dragged, else resets the display range; never ends a run"),
          .keys = {QKeySequence(Qt::Key_Escape)},
          .scope = KeyScope::Pictures,
          .run = [this] { giveUp(); }},
         {.id = "view.neurological",
          .text = tr("Neurological orientation"),
          .help = tr("Patient's left on the left; off is radiological, left on the right"),
          .run =
              [this] {
                  view.setOrientation(view.orientation() == viz::Orientation::Radiological
                                          ? viz::Orientation::Neurological
                                          : viz::Orientation::Radiological);
              },
          .checked = [this] { return view.orientation() == viz::Orientation::Neurological; },
          .separatorBefore = true},
         {.id = "view.light",
          .text = tr("Light theme"),
          .help = tr("Light instead of dark ground around the pictures"),
          .run =
              [this] {
                  Q_EMIT themeRequested(Theme::of(window).kind == ThemeKind::Light ? ThemeKind::Dark
                                                                                   : ThemeKind::Light);
              },
          .checked = [this] { return Theme::of(window).kind == ThemeKind::Light; }},
         {.id = "view.full-screen",
          .text = tr("Full screen"),
          .help = tr("The window without a frame"),
          .keys = {QKeySequence(Qt::Key_F11)},
          .run = [this] { window.isFullScreen() ? window.showNormal() : window.showFullScreen(); },
          .checked = [this] { return window.isFullScreen(); }}});
}

/// Puts back what is being dragged, else lays a tool down, else resets the range.
void ViewCommands::giveUp() {
    bool dropped = false;
    for (int i = 0; i < pages.count() && !dropped; ++i) {
        dropped = pages.page(i).abandonDrag();
    }
    // Pictures in windows of their own are on no page.
    for (SlicePane* pane : window.findChildren<SlicePane*>()) {
        dropped = pane->abandonDrag() || dropped;
    }
    if (!dropped && rois.tool()) {
        rois.setTool(std::nullopt);
    } else if (!dropped) {
        view.resetRange();
    }
    runs.touch();
}

/// Another mode than the largest value, switched on and off.
Command ViewCommands::slabCommand(const char* id, const QString& text, const QString& help,
                                  viz::SlabMode mode) {
    return {.id = id,
            .text = text,
            .help = help,
            .run =
                [this, mode] {
                    const Slab now = view.slab();
                    view.setSlab({now.thickness_mm, now.mode == mode ? viz::SlabMode::Largest : mode});
                },
            .whyNot =
                [this] {
                    return view.slab().thickness_mm > 0
                               ? QString()
                               : tr("One slice is shown; give the slab a thickness first");
                },
            .checked = [this, mode] { return view.slab().mode == mode; }};
}

void ViewCommands::addSlabs() {
    const auto mip = [this] {
        return view.slab().thickness_mm > 0 && view.slab().mode == viz::SlabMode::Largest;
    };
    commands.add(
        "View",
        {{.id = "view.mip",
          .text = tr("Maximum intensity"),
          .brief = tr("MIP"),
          .help = tr("All slices at once, brightest in front; off shows one slice"),
          .keys = {QKeySequence(Qt::Key_J)},
          .run =
              [this, mip] {
                  view.setSlab({mip() ? 0 : std::numeric_limits<double>::infinity(), viz::SlabMode::Largest});
              },
          .checked = mip},
         slabCommand("view.slab-mean", tr("Mean of the slab"),
                     tr("Thick slices show the mean of their layers in place of the largest value"),
                     viz::SlabMode::Mean),
         slabCommand("view.slab-sum", tr("Sum of the slab"),
                     tr("Thick slices show the sum of their layers in place of the largest value"),
                     viz::SlabMode::Sum)});
    const std::tuple<const char*, QString, Qt::Key, int> images[] = {
        {"view.next-image", tr("Next image"), Qt::Key_BracketRight, 1},
        {"view.previous-image", tr("Previous image"), Qt::Key_BracketLeft, -1}};
    for (const auto& [id, text, key, step] : images) {
        commands.add({.id = id,
                      .menu = "View",
                      .text = text,
                      .help = tr("In the picture with the frame: another run; on Compare for A or B, on Data "
                                 "another azimuth"),
                      .keys = {QKeySequence(key)},
                      .run = [this, by = step] { stepImage(by); },
                      .separatorBefore = step > 0});
    }
}

void ViewCommands::stepImage(int step) {
    auto* pane = qobject_cast<SlicePane*>(QApplication::focusWidget());
    if (pane != nullptr && pages.isAncestorOf(pane)) {
        pane->stepImage(step);
    } else {
        pages.inFront().stepImage(step);
    }
}

void ViewCommands::addCharts() {
    const std::tuple<const char*, QString, QString, ChartKind> charts[] = {
        {"chart.profile", tr("Profile"),
         tr("Values of all runs along a line of voxels, or along a drawn line"), ChartKind::Profile},
        {"chart.histogram", tr("Histogram"), tr("How often values occur in the image on screen"),
         ChartKind::Histogram},
        {"chart.rois", tr("ROIs"), tr("Every value of every ROI of the image on screen"), ChartKind::Rois},
        {"chart.time", tr("Time"), tr("Activity against time of the voxel under the cursor and of every ROI"),
         ChartKind::Time},
        {"chart.solid", "3-D", tr("The image seen from outside, brightest along the line of sight"),
         ChartKind::Solid}};
    for (const auto& [id, text, help, kind] : charts) {
        commands.add(
            {.id = id,
             .menu = "Tools",
             .text = text,
             .help = help,
             .keys = kind == ChartKind::Rois ? QList<QKeySequence>{QKeySequence(Qt::SHIFT | Qt::Key_T)}
                                             : QList<QKeySequence>{},
             .run = [this, k = kind] { view.setChart(k); },
             .whyNot = [this, k = kind] { return k == ChartKind::Time ? whyNoFrames(runs) : QString(); },
             .checked = [this, k = kind] { return view.chart() == k; }});
    }
    addTime();
    commands.add({.id = "view.surface",
                  .menu = "Tools",
                  .text = tr("Surface"),
                  .help = tr("The 3-D picture as a surface at a level; off shows the brightest value"),
                  .run =
                      [this] {
                          viewer.setSurfaceShown(!viewer.surfaceShown() || view.chart() != ChartKind::Solid);
                          view.setChart(ChartKind::Solid);
                      },
                  .checked = [this] { return view.chart() == ChartKind::Solid && viewer.surfaceShown(); }});
    const auto noDirection = [this] {
        const bool another = pages.currentIndex() == 0 && view.chart() != ChartKind::Profile;
        return another ? tr("Only a profile has a direction") : QString();
    };
    for (int axis = 0; axis < 3; ++axis) {
        const QString letter{QChar("xyz"[axis])};
        commands.add({.id = "chart." + letter,
                      .menu = "Tools",
                      .text = tr("Profile along %1").arg(letter),
                      .brief = letter,
                      .help = tr("Profile along %1 through the cursor").arg(letter),
                      .run = [this, axis] { view.setProfileAxis(axis); },
                      .whyNot = noDirection,
                      .checked = [this, axis] { return view.profileAxis() == axis; }});
    }
    commands.add({.id = "chart.at",
                  .menu = "Tools",
                  .text = tr("Profile at a place..."),
                  .help = tr("Takes the cursor, and the profile through it, to a place given in mm"),
                  .run = [this] { askForPlace(); },
                  .whyNot = noDirection});
    commands.add({.id = "chart.line",
                  .menu = "Tools",
                  .text = tr("Profile along a line"),
                  .brief = tr("Line"),
                  .help = tr("Profile along a drawn line; Ctrl+drag in a picture draws another one"),
                  .keys = {QKeySequence(Qt::Key_L)},
                  .run = [this] { toggleLine(); },
                  .whyNot = noDirection,
                  .checked = [this] { return view.profileAxis() == ViewModel::kAlongLine; }});
}

void ViewCommands::addTime() {
    using Flag = ViewModel::Flag;
    const std::tuple<const char*, QString, QString, QString, Flag> switches[] = {
        {"time.decay", tr("Decay-corrected curves"), tr("Decay-corrected"),
         tr("Curves against time are corrected for decay to time zero; off shows what was measured"),
         Flag::DecayCorrected},
        {"time.log-activity", tr("Logarithmic activity"), tr("log y"),
         tr("Curves against time have a logarithmic axis of activity"), Flag::LogActivity},
        {"time.log-time", tr("Logarithmic time"), tr("log t"),
         tr("Curves against time have a logarithmic axis of time"), Flag::LogTime}};
    for (const auto& [id, text, brief, help, flag] : switches) {
        commands.add({.id = id,
                      .menu = "Tools",
                      .text = text,
                      .brief = brief,
                      .help = help,
                      .run = [this, f = flag] { view.setFlag(f, !view.flag(f)); },
                      .whyNot = [this] { return whyNoFrames(runs); },
                      .checked = [this, f = flag] { return view.flag(f); }});
    }
    commands.add(
        {.id = "time.mean",
         .menu = "Tools",
         .text = tr("Mean of frames"),
         .brief = tr("Mean"),
         .help = tr("The mean of all frames of a dynamic image; again shows the first of them alone"),
         .keys = {QKeySequence(Qt::Key_Y)},
         .run =
             [this] {
                 const RunItem& item = *runs.onScreen();
                 const FrameRange shown = item.framesWanted();
                 runs.showIterate(item.id(), shown.one() ? 0 : shown.first);
             },
         .whyNot = [this] { return whyNoFrames(runs); },
         .checked =
             [this] {
                 const RunItem* item = runs.onScreen();
                 return item != nullptr && item->dynamic() != nullptr && !item->framesWanted().one();
             }});
}

void ViewCommands::askForPlace() {
    const Vec3 now = view.cursor();
    bool wanted = false;
    const QString text = QInputDialog::getItem(
        viewer.window(), tr("Profile at a place"), tr("x, y, z in mm; what is left out stays"),
        QStringList{QString("%1, %2, %3").arg(now.x).arg(now.y).arg(now.z)} + places_, 0, true, &wanted);
    if (wanted) {
        constexpr qsizetype kKept = 8;
        places_.removeAll(text);
        places_.prepend(text);
        places_ = places_.mid(0, kKept);
    }
    const QStringList parts = text.split(',');
    Vec3 place = now;
    for (int axis = 0; axis < 3 && wanted; ++axis) {
        bool number = false;
        const double value = parts.value(axis).trimmed().replace(QChar(0x2212), "-").toDouble(&number);
        place[static_cast<std::size_t>(axis)] = number ? value : now[static_cast<std::size_t>(axis)];
    }
    view.setCursor(place);
}

void ViewCommands::toggleLine() {
    if (view.profileAxis() == ViewModel::kAlongLine) {
        view.setProfileAxis(0);
    } else if (view.line()) {
        view.setProfileAxis(ViewModel::kAlongLine);
    } else {
        view.setLine(lineThroughCursor(view));
    }
}

void ViewCommands::addCine() {
    const std::tuple<const char*, QString, QString, QKeySequence, Cine::What> films[] = {
        {"cine.slices", tr("Cine through slices"),
         tr("Plays the slices of the picture with the frame; again stops"), QKeySequence(Qt::Key_F9),
         Cine::What::Slices},
        {"cine.iterates", tr("Cine through iterates or frames"),
         tr("Plays the iterates of the selected run, or the frames of an image; again stops"),
         QKeySequence(Qt::SHIFT | Qt::Key_F9), Cine::What::Iterates}};
    for (const auto& [id, text, help, key, what] : films) {
        commands.add({.id = id,
                      .menu = "View",
                      .text = text,
                      .brief = tr("Cine"),
                      .help = help,
                      .keys = {key},
                      .run = [this, w = what] { cine_.toggle(w); },
                      .whyNot = [this] { return whyNoImage(runs); },
                      .checked = [this, w = what] { return cine_.playing() == w; },
                      .separatorBefore = what == Cine::What::Slices});
    }
}

}  // namespace tof::ui
