// SPDX-License-Identifier: Apache-2.0
#include "ui/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QSaveFile>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "recon/core/error.h"
#include "recon/io/volume_io.h"
#include "recon/run/version.h"
#include "ui/dialogs.h"
#include "ui/icons.h"

namespace tof::ui {

namespace {

constexpr int kLeftWidth = 272;
constexpr int kRightWidth = 336;
constexpr int kRailWidth = 48;
constexpr int kNarrow = 1366;
constexpr double kAskAfterSeconds = 60;

QScrollArea* panelArea(QWidget* panel, int width) {
    auto* area = new QScrollArea;
    area->setWidget(panel);
    area->setWidgetResizable(true);
    area->setFixedWidth(width);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFrameShape(QFrame::NoFrame);
    return area;
}

}  // namespace

MainWindow::MainWindow(Workspace& workspace, Preferences& preferences, const Options& options)
    : workspace_(workspace), preferences_(preferences), options_(options) {
    setWindowTitle("Tofscope");
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    setMinimumSize(960, 600);

    viewer_ = new Viewer(workspace_, options.renderer);
    compare_ = new ComparePage(workspace_, options.renderer);
    centre_ = new QStackedWidget;
    centre_->addWidget(viewer_);
    centre_->addWidget(compare_);
    commands_ = new CommandRegistry(this, centre_);
    addFileCommands();
    addRunCommands();
    addViewCommands();
    addCompareCommands();
    addExportCommands();
    study_ = new StudyPanel(workspace_, *commands_);
    figures_ = new FiguresPanel(workspace_, *commands_);
    addHelpCommands();
    commands_->refreshIcons();
    viewer_->buildBar(*commands_);
    compare_->buildBar(*commands_);

    left_ = panelArea(study_, kLeftWidth);
    left_->setObjectName("panel.left");
    right_ = panelArea(figures_, kRightWidth);
    right_->setObjectName("panel.right");
    rail_ = buildRail();
    bench_ = new QWidget;
    auto* columns = new QHBoxLayout(bench_);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(rail_);
    columns->addWidget(left_);
    columns->addWidget(new HairLine(Qt::Vertical));
    columns->addWidget(centre_, 1);
    columns->addWidget(new HairLine(Qt::Vertical));
    columns->addWidget(right_);

    start_ = new StartPage(workspace_, *commands_, preferences_);
    pages_ = new QStackedWidget;
    pages_->addWidget(start_);
    pages_->addWidget(bench_);
    status_ = new StatusStrip(workspace_);
    auto* central = new QWidget;
    auto* rows = new QVBoxLayout(central);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(buildToolBar());
    rows->addWidget(new HairLine(Qt::Horizontal));
    rows->addWidget(pages_, 1);
    rows->addWidget(status_);
    setCentralWidget(central);
    buildMenus();

    connect(study_, &StudyPanel::runContextRequested, this, &MainWindow::showRunMenu);
    connect(status_, &StatusStrip::messagesRequested, this, [this] { commands_->trigger("help.messages"); });
    connect(&workspace_.view(), &ViewModel::changed, this, [this] {
        viewer_->refresh();
        figures_->refreshRois();
        compare_->refresh();
        commands_->refresh();
    });
    // Live images come up to 15 times a second: pictures first, the rest in a turn of its own, so that the
    // window answers in between.
    auto* later = new QTimer(this);
    later->setSingleShot(true);
    later->setInterval(24);
    connect(later, &QTimer::timeout, this, &MainWindow::refreshPanels);
    connect(&workspace_.runs(), &RunList::changed, this, [this, later] {
        refreshPages();
        viewer_->refresh();
        status_->update();
        commands_->refresh();
        later->start();
    });
    connect(&workspace_, &Workspace::studyChanged, this, &MainWindow::refresh);
    connect(&workspace_, &Workspace::settingsEdited, this, [this] {
        study_->refreshSettings();
        commands_->refresh();
    });
    connect(&workspace_.tasks(), &TaskQueue::changed, this, [this] { status_->update(); });
    connect(&workspace_.messages(), &Messages::changed, this, [this] { status_->update(); });
    connect(&workspace_, &Workspace::opened, this, [this](const QString& path) {
        preferences_.addRecent(path);
        refreshRecentMenu();
        start_->refreshRecent();
    });
    // Shares of tasks and memory in use change without a signal.
    auto* slow = new QTimer(this);
    slow->setInterval(500);
    connect(slow, &QTimer::timeout, status_, qOverload<>(&QWidget::update));
    slow->start();

    const QByteArray geometry = preferences_.bytes("geometry");
    if (geometry.isEmpty() || !restoreGeometry(geometry)) {
        resize(1600, 1000);
    }
    qApp->installEventFilter(this);
    start_->probeEngines();
    refresh();
    viewer_->pane(Plane::Transverse)->setFocus();
}

// ---- commands ----

void MainWindow::addFileCommands() {
    commands_->add(
        {.id = "file.open",
         .menu = "File",
         .text = "Open",
         .help = "Opens a study folder, data, list-mode, run or volume",
         .icon = "open",
         .keys = {QKeySequence(Qt::CTRL | Qt::Key_O)},
         .run = [this] {
             const QStringList files = QFileDialog::getOpenFileNames(
                 this, "Open", QString(),
                 "All readable files (*.h5 *.nii *.nii.gz *.hv *.hdr *.cdh study.json);;All files (*)");
             QStringList paths;
             for (const QString& file : files) {
                 paths << (QFileInfo(file).fileName() == "study.json" ? QFileInfo(file).absolutePath()
                                                                      : file);
             }
             workspace_.open(paths);
         }});
    commands_->add({.id = "file.open-study",
                    .menu = "File",
                    .text = "Open study folder",
                    .help = "Opens a folder NAME.tofstudy",
                    .run = [this] {
                        const QString folder = QFileDialog::getExistingDirectory(this, "Open study folder");
                        if (!folder.isEmpty()) {
                            workspace_.open({folder});
                        }
                    }});
    commands_->add({.id = "file.simulate",
                    .menu = "File",
                    .text = "New simulated study",
                    .help = "Simulates list-mode of a phantom in a scanner and opens it as a study",
                    .icon = "simulate",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_N)},
                    .run = [this] {
                        if (const auto request = askForSimulation(this)) {
                            workspace_.simulate(*request);
                        }
                    }});
    commands_->add({.id = "file.demo",
                    .menu = "File",
                    .text = "Open the demo study",
                    .help = "Opens the demo study; it is simulated at the first use",
                    .icon = "flask",
                    .run = [this] { workspace_.openDemo(); }});
    commands_->add(
        {.id = "file.save-image",
         .menu = "File",
         .text = "Save image as",
         .help = "Writes the volume on screen as HDF5, NIfTI or Interfile",
         .keys = {QKeySequence(Qt::CTRL | Qt::Key_S)},
         .run =
             [this] {
                 const auto volume = workspace_.runs().selected()->volume();
                 const QString file =
                     QFileDialog::getSaveFileName(this, "Save image as", QString(),
                                                  "HDF5 (*.h5);;NIfTI (*.nii *.nii.gz);;Interfile (*.hv)");
                 if (file.isEmpty()) {
                     return;
                 }
                 workspace_.tasks().add(
                     "Writing " + QFileInfo(file).fileName(),
                     [volume, file](TaskControl&) { writeVolume(file.toStdString(), *volume); }, [] {});
             },
         .whyNot =
             [this] {
                 RunItem* item = workspace_.runs().selected();
                 return item != nullptr && item->volume() != nullptr ? QString() : "There is no image yet";
             },
         .separatorBefore = true});
    commands_->add({.id = "file.close",
                    .menu = "File",
                    .text = "Close study",
                    .help = "Closes what is open; its view and settings are kept in the study",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_W)},
                    .run = [this] { workspace_.closeStudy(); },
                    .whyNot = [this] { return workspace_.isEmpty() ? "Nothing is open" : QString(); }});
    commands_->add({.id = "file.quit",
                    .menu = "File",
                    .text = "Quit",
                    .help = "Closes the window; a running reconstruction is stopped",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                    .run = [this] { close(); }});
}

void MainWindow::addRunCommands() {
    const auto noRun = [this] {
        return workspace_.activeRun() == nullptr ? QString("No run is going on") : QString();
    };
    commands_->add(
        {.id = "run.start",
         .menu = "Run",
         .text = "Run",
         .help = "Reconstructs the open data with the settings at the left, beside the runs that are there",
         .icon = "run",
         .keys = {QKeySequence(Qt::Key_F5)},
         .run = [this] { workspace_.startRun(); },
         .whyNot = [this] { return workspace_.whyNoRun(); }});
    commands_->add({.id = "run.pause",
                    .menu = "Run",
                    .text = "Pause",
                    .help = "Stops at the next block boundary; again goes on",
                    .icon = "pause",
                    .keys = {QKeySequence(Qt::Key_F6)},
                    .run = [this] { workspace_.togglePause(); },
                    .whyNot = noRun,
                    .checked =
                        [this] {
                            RunItem* item = workspace_.activeRun();
                            return item != nullptr &&
                                   (item->state == RunState::Paused || item->order == "pausing");
                        }});
    const auto notPaused = [this] {
        RunItem* item = workspace_.activeRun();
        return item != nullptr && item->state == RunState::Paused ? QString()
                                                                  : QString("Pause the run first (F6)");
    };
    commands_->add({.id = "run.step",
                    .menu = "Run",
                    .text = "Step",
                    .help = "Does one block and pauses again",
                    .icon = "step",
                    .keys = {QKeySequence(Qt::Key_F7)},
                    .run = [this] { workspace_.stepBlock(); },
                    .whyNot = notPaused});
    commands_->add({.id = "run.step-iteration",
                    .menu = "Run",
                    .text = "Step to the end of the iteration",
                    .help = "Finishes the iteration and pauses again",
                    .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F7)},
                    .run = [this] { workspace_.stepIteration(); },
                    .whyNot = notPaused});
    commands_->add({.id = "run.finish",
                    .menu = "Run",
                    .text = "Finish now",
                    .help = "Ends the run and keeps its last whole iterate",
                    .icon = "finish",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_F5)},
                    .run = [this] { workspace_.finishNow(); },
                    .whyNot = noRun});
    commands_->add({.id = "run.cancel",
                    .menu = "Run",
                    .text = "Cancel",
                    .help = "Ends the run and those that wait; nothing of them is written",
                    .icon = "cancel",
                    .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F5)},
                    .run =
                        [this] {
                            RunItem* item = workspace_.activeRun();
                            const bool ask =
                                options_.askBeforeClosing && item->workSeconds > kAskAfterSeconds;
                            if (!ask || QMessageBox::question(
                                            this, "Cancel run " + item->label,
                                            "Give up more than a minute of work? \"Finish now\" "
                                            "would keep the last whole iterate.") == QMessageBox::Yes) {
                                workspace_.cancelRun();
                            }
                        },
                    .whyNot = noRun});
    const auto noIterates = [this] {
        RunItem* item = workspace_.runs().selected();
        return item != nullptr && !item->iterates().empty() && !item->isVolume
                   ? QString()
                   : QString("There is no iterate yet");
    };
    commands_->add({.id = "run.previous-iterate",
                    .menu = "Run",
                    .text = "Previous iterate",
                    .help = "Shows the iterate before the one on screen",
                    .keys = {QKeySequence(Qt::Key_Left)},
                    .scope = KeyScope::Pictures,
                    .run = [this] { workspace_.runs().stepIterate(-1); },
                    .whyNot = noIterates,
                    .separatorBefore = true});
    commands_->add({.id = "run.next-iterate",
                    .menu = "Run",
                    .text = "Next iterate",
                    .help = "Shows the next iterate; past the last one the picture follows the run again",
                    .keys = {QKeySequence(Qt::Key_Right)},
                    .scope = KeyScope::Pictures,
                    .run = [this] { workspace_.runs().stepIterate(1); },
                    .whyNot = noIterates});
    commands_->add({.id = "run.previous",
                    .menu = "Run",
                    .text = "Previous run",
                    .help = "Selects the run above",
                    .keys = {QKeySequence(Qt::Key_PageUp)},
                    .scope = KeyScope::Pictures,
                    .run = [this] { workspace_.runs().selectNext(-1); }});
    commands_->add({.id = "run.next",
                    .menu = "Run",
                    .text = "Next run",
                    .help = "Selects the run below",
                    .keys = {QKeySequence(Qt::Key_PageDown)},
                    .scope = KeyScope::Pictures,
                    .run = [this] { workspace_.runs().selectNext(1); }});
    commands_->add(
        {.id = "run.remove",
         .menu = "Run",
         .text = "Delete run",
         .help = "Removes the selected run from the list and its file from the study",
         .icon = "delete",
         .run =
             [this] {
                 RunItem* item = workspace_.runs().selected();
                 const bool file = !item->file.isEmpty() && !item->isVolume && workspace_.hasFolder();
                 if (!file || !options_.askBeforeClosing ||
                     QMessageBox::question(this, "Delete run " + item->label,
                                           "Delete its file from the study, too?") == QMessageBox::Yes) {
                     workspace_.removeRun(item->id);
                 }
             },
         .whyNot =
             [this] {
                 RunItem* item = workspace_.runs().selected();
                 return item == nullptr         ? QString("No run is selected")
                        : isActive(item->state) ? QString("Cancel the run first")
                                                : QString();
             }});
}

void MainWindow::addViewCommands() {
    ViewModel& view = workspace_.view();
    const auto flag = [&](const char* id, const char* text, const char* help, const char* icon,
                          QKeySequence key, KeyScope scope, ViewModel::Flag which) {
        commands_->add({.id = id,
                        .menu = "View",
                        .text = text,
                        .help = help,
                        .icon = icon,
                        .keys = {key},
                        .scope = scope,
                        .run = [&view, which] { view.setFlag(which, !view.flag(which)); },
                        .checked = [&view, which] { return view.flag(which); }});
    };
    using Flag = ViewModel::Flag;
    const std::tuple<Layout, const char*, const char*, const char*, int> layouts[] = {
        {Layout::Main, "Large transverse", "Transverse over two rows, coronal and sagittal beside it",
         "layout-main", Qt::Key_1},
        {Layout::Grid, "Grid", "Three pictures and the profile, equal in size", "layout-grid", Qt::Key_2},
        {Layout::Row, "Row", "Three pictures beside each other", "layout-row", Qt::Key_3},
        {Layout::Single, "Single picture", "The picture with the frame alone", "layout-single", Qt::Key_4}};
    for (const auto& [layout, text, help, icon, key] : layouts) {
        commands_->add({.id = "layout." + layoutName(layout),
                        .menu = "View",
                        .text = text,
                        .help = help,
                        .icon = icon,
                        .keys = {QKeySequence(key)},
                        .run = [&view, l = layout] { view.setLayout(l); },
                        .checked = [&view, l = layout] { return view.layout() == l; }});
    }
    const std::tuple<Plane, const char*, const char*, int> planes[] = {
        {Plane::Transverse, "plane.transverse", "Transverse", Qt::Key_A},
        {Plane::Sagittal, "plane.sagittal", "Sagittal", Qt::Key_S},
        {Plane::Coronal, "plane.coronal", "Coronal", Qt::Key_C}};
    for (const auto& [plane, id, text, key] : planes) {
        commands_->add({.id = id,
                        .menu = "View",
                        .text = text,
                        .help = "Moves the frame, and the keys, to this picture",
                        .keys = {QKeySequence(key)},
                        .run =
                            [this, p = plane] {
                                workspace_.view().setActivePlane(p);
                                viewer_->pane(p)->setFocus();
                            },
                        .checked = [&view, p = plane] { return view.activePlane() == p; },
                        .separatorBefore = plane == Plane::Transverse});
    }
    const std::tuple<const char*, const char*, QKeySequence, int> steps[] = {
        {"slice.up", "Next slice", QKeySequence(Qt::Key_Up), 1},
        {"slice.down", "Previous slice", QKeySequence(Qt::Key_Down), -1},
        {"slice.up-ten", "Ten slices on", QKeySequence(Qt::SHIFT | Qt::Key_Up), 10},
        {"slice.down-ten", "Ten slices back", QKeySequence(Qt::SHIFT | Qt::Key_Down), -10}};
    for (const auto& [id, text, key, step] : steps) {
        commands_->add({.id = id,
                        .menu = "View",
                        .text = text,
                        .help = "Moves the cursor along the normal of the picture with the frame",
                        .keys = {key},
                        .scope = KeyScope::Pictures,
                        .run = [&view, n = step] { view.stepSlice(view.activePlane(), n); }});
    }
    flag("view.annotations", "Annotations", "Everything painted over the pictures", "eye",
         QKeySequence(Qt::Key_Space), KeyScope::Pictures, Flag::Annotations);
    flag("view.crosshair", "Crosshair", "The cursor's lines; the cursor itself stays", "crosshair",
         QKeySequence(Qt::Key_F), KeyScope::Window, Flag::Crosshair);
    flag("view.colour-bar", "Colour bar", "Colours and their values", "", QKeySequence(Qt::Key_B),
         KeyScope::Window, Flag::ColourBar);
    flag("view.letters", "Orientation letters", "R, L, A, P, S, I at the edges", "", QKeySequence(Qt::Key_O),
         KeyScope::Window, Flag::Letters);
    flag("view.voxel-info", "Voxel read-out", "Values of every run under the cursor, below the pictures", "",
         QKeySequence(Qt::Key_V), KeyScope::Window, Flag::VoxelInfo);
    flag("view.rois", "ROIs", "Outlines of the regions of interest", "roi",
         QKeySequence(Qt::SHIFT | Qt::Key_O), KeyScope::Window, Flag::Rois);
    flag("view.interpolation", "Interpolation",
         "Smooth between voxels; off shows every voxel as it is (off at the start)", "interpolation",
         QKeySequence(Qt::Key_I), KeyScope::Window, Flag::Interpolation);
    commands_->add({.id = "view.invert",
                    .menu = "View",
                    .text = "Invert colours",
                    .help = "The colour map in the opposite order",
                    .keys = {QKeySequence(Qt::Key_U)},
                    .run = [&view] { view.setInverted(!view.inverted()); },
                    .checked = [&view] { return view.inverted(); }});
    commands_->add(
        {.id = "view.auto",
         .menu = "View",
         .text = "Auto",
         .help = "Display range from 0 to the 99.99th percentile, kept through the iterates of a run",
         .run = [&view] { view.resetRange(); },
         .checked = [&view] { return view.autoRange(); }});
    commands_->add({.id = "view.reset",
                    .menu = "View",
                    .text = "Reset view",
                    .help = "Fits the object: zoom and pan as at the start",
                    .keys = {QKeySequence(Qt::Key_R)},
                    .run = [&view] { view.resetView(); }});
    commands_->add({.id = "view.lattice",
                    .menu = "View",
                    .text = "Show the whole lattice",
                    .help = "Zooms out until every voxel is in the pictures",
                    .keys = {QKeySequence(Qt::SHIFT | Qt::Key_R)},
                    .run = [&view] { view.showLattice(); }});
    commands_->add(
        {.id = "view.escape",
         .menu = "View",
         .text = "Back",
         .help = "Puts back what is being dragged, else resets the display range; never ends a run",
         .keys = {QKeySequence(Qt::Key_Escape)},
         .scope = KeyScope::Pictures,
         .run = [this] {
             if (!viewer_->abandonDrag() && !compare_->abandonDrag()) {
                 workspace_.view().resetRange();
             }
             workspace_.runs().touch();
         }});
    commands_->add({.id = "view.neurological",
                    .menu = "View",
                    .text = "Neurological orientation",
                    .help = "Patient's left on the left; off is radiological, left on the right",
                    .run =
                        [&view] {
                            view.setOrientation(view.orientation() == viz::Orientation::Radiological
                                                    ? viz::Orientation::Neurological
                                                    : viz::Orientation::Radiological);
                        },
                    .checked = [&view] { return view.orientation() == viz::Orientation::Neurological; },
                    .separatorBefore = true});
    commands_->add({.id = "view.light",
                    .menu = "View",
                    .text = "Light theme",
                    .help = "Light instead of dark ground around the pictures",
                    .run =
                        [this] {
                            setTheme(Theme::of(*this).kind == ThemeKind::Dark ? ThemeKind::Light
                                                                              : ThemeKind::Dark);
                        },
                    .checked = [this] { return Theme::of(*this).kind == ThemeKind::Light; }});
    commands_->add({.id = "view.full-screen",
                    .menu = "View",
                    .text = "Full screen",
                    .help = "The window without a frame",
                    .keys = {QKeySequence(Qt::Key_F11)},
                    .run = [this] { isFullScreen() ? showNormal() : showFullScreen(); },
                    .checked = [this] { return isFullScreen(); }});
    const std::tuple<const char*, const char*, ProfileChart::Kind> charts[] = {
        {"chart.profile", "Profile", ProfileChart::Kind::Profile},
        {"chart.histogram", "Histogram", ProfileChart::Kind::Histogram}};
    for (const auto& [id, text, kind] : charts) {
        commands_->add({.id = id,
                        .menu = "Tools",
                        .text = text,
                        .help = kind == ProfileChart::Kind::Profile
                                    ? "Values of all runs along a line through the cursor"
                                    : "How often values occur in the image on screen",
                        .run =
                            [this, k = kind] {
                                viewer_->profile()->setKind(k);
                                viewer_->refresh();
                            },
                        .checked = [this, k = kind] { return viewer_->profile()->kind() == k; }});
    }
    for (int axis = 0; axis < 3; ++axis) {
        const QString letter{QChar("xyz"[axis])};
        commands_->add({.id = "chart." + letter,
                        .menu = "Tools",
                        .text = letter,
                        .help = "Profile along " + letter,
                        .run =
                            [this, axis] {
                                viewer_->profile()->setAxis(axis);
                                viewer_->refresh();
                            },
                        .whyNot =
                            [this] {
                                return viewer_->profile()->kind() == ProfileChart::Kind::Profile
                                           ? QString()
                                           : QString("A histogram has no direction");
                            },
                        .checked = [this, axis] { return viewer_->profile()->axis() == axis; }});
    }
}

void MainWindow::addCompareCommands() {
    const auto notComparing = [this] {
        return centre_->currentWidget() == compare_ ? QString() : QString("Open the Compare page first");
    };
    commands_->add({.id = "page.slices",
                    .menu = "View",
                    .text = "Slices",
                    .help = "One image in three planes",
                    .icon = "slices",
                    .run = [this] { centre_->setCurrentWidget(viewer_); },
                    .checked = [this] { return centre_->currentWidget() == viewer_; },
                    .separatorBefore = true});
    commands_->add({.id = "page.compare",
                    .menu = "View",
                    .text = "Compare",
                    .help = "Two images and their difference, in three planes",
                    .icon = "compare",
                    .keys = {QKeySequence(Qt::Key_D)},
                    .run =
                        [this] {
                            centre_->setCurrentWidget(centre_->currentWidget() == compare_
                                                          ? static_cast<QWidget*>(viewer_)
                                                          : compare_);
                            refresh();
                        },
                    .whyNot = [this] { return compare_->model().whyNot(); },
                    .checked = [this] { return centre_->currentWidget() == compare_; }});
    commands_->add({.id = "compare.swap",
                    .menu = "View",
                    .text = "Swap A and B",
                    .help = "The difference changes its sign",
                    .icon = "swap",
                    .keys = {QKeySequence(Qt::SHIFT | Qt::Key_D)},
                    .run = [this] { compare_->model().swap(); },
                    .whyNot = notComparing});
    commands_->add({.id = "compare.auto",
                    .menu = "View",
                    .text = "Auto limit",
                    .help = "Limit of the difference at the 99.9th percentile of its size",
                    .keys = {QKeySequence(Qt::Key_Equal)},
                    .run = [this] { compare_->model().setAutoLimit(); },
                    .whyNot = notComparing,
                    .checked = [this] { return compare_->model().autoLimit(); }});
    commands_->add({.id = "export.compare",
                    .menu = "Tools",
                    .text = "Copy difference figures",
                    .help = "Puts the numbers under the comparison on the clipboard",
                    .icon = "copy",
                    .run = [this] { QApplication::clipboard()->setText(compare_->figuresText()); },
                    .whyNot = notComparing});
}

void MainWindow::saveText(const QString& title, const QString& name, const QString& text) {
    QString file = QFileDialog::getSaveFileName(this, title, name, "CSV (*.csv)");
    if (file.isEmpty()) {
        return;
    }
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(text.toUtf8()) < 0 || !out.commit()) {
        workspace_.messages().add(Severity::Error, file + ": cannot be written: " + out.errorString());
    }
}

void MainWindow::addExportCommands() {
    const auto noImage = [this] {
        RunItem* item = workspace_.runs().selected();
        return item != nullptr && item->volume() != nullptr ? QString() : QString("There is no image yet");
    };
    commands_->add({.id = "export.picture",
                    .menu = "Tools",
                    .text = "Copy pictures",
                    .help = "Puts the pictures, as seen, on the clipboard",
                    .icon = "camera",
                    .keys = {QKeySequence(Qt::Key_F12)},
                    .run =
                        [this] {
                            QApplication::clipboard()->setPixmap(centre_->currentWidget() == compare_
                                                                     ? compare_->grab()
                                                                     : viewer_->picturesShot());
                        },
                    .whyNot = noImage,
                    .separatorBefore = true});
    commands_->add({.id = "export.picture-file",
                    .menu = "Tools",
                    .text = "Save pictures",
                    .help = "Writes the pictures, as seen, to a PNG file",
                    .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F12)},
                    .run =
                        [this] {
                            const QString file = QFileDialog::getSaveFileName(this, "Save pictures",
                                                                              "slices.png", "PNG (*.png)");
                            if (!file.isEmpty() && !viewer_->picturesShot().save(file, "PNG")) {
                                workspace_.messages().add(Severity::Error, file + ": cannot be written");
                            }
                        },
                    .whyNot = noImage});
    commands_->add(
        {.id = "export.curve",
         .menu = "Tools",
         .text = "Export CRC and noise",
         .help = "Writes the points of all runs, with their definitions, to a CSV file",
         .icon = "export",
         .run = [this] { saveText("Export CRC and noise", "crc-noise.csv", figures_->chart()->toCsv()); },
         .whyNot =
             [this] {
                 return figures_->chart()->points().empty() ? QString("There are no points yet") : QString();
             }});
    commands_->add(
        {.id = "export.rois",
         .menu = "Tools",
         .text = "Copy ROI table",
         .help = "Puts the table on the clipboard, tab separated, with decimal points",
         .icon = "copy",
         .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
         .run = [this] { QApplication::clipboard()->setText(figures_->roiTable()); },
         .whyNot =
             [this] { return workspace_.rois().rois.empty() ? QString("There are no ROIs") : QString(); }});
    commands_->add({.id = "export.profile",
                    .menu = "Tools",
                    .text = "Export profile",
                    .help = "Writes the profile of all runs to a CSV file",
                    .icon = "export",
                    .run = [this] { saveText("Export profile", "profile.csv", viewer_->profile()->toCsv()); },
                    .whyNot = noImage});
}

void MainWindow::addHelpCommands() {
    commands_->add(
        {.id = "help.keys",
         .menu = "Help",
         .text = "All keys",
         .help = "Every command that has a key, and what the mouse does",
         .icon = "help",
         .keys = {QKeySequence(Qt::Key_H), QKeySequence(Qt::Key_Question), QKeySequence(Qt::Key_F1)},
         .run = [this] { makeCheatSheet(*commands_, this)->show(); }});
    commands_->add({.id = "help.messages",
                    .menu = "Help",
                    .text = "Messages",
                    .help = "Notes, warnings and errors of this session, with a report to copy",
                    .icon = "message",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_M)},
                    .run = [this] {
                        makeMessageCentre(workspace_, viewer_->pane(Plane::Transverse)->rendererDescription(),
                                          this)
                            ->show();
                    }});
    commands_->add({.id = "help.about",
                    .menu = "Help",
                    .text = "About Tofscope",
                    .help = "Version and licence",
                    .run = [this] {
                        QMessageBox::about(
                            this, "About Tofscope",
                            QString("Tofscope %1\nTime-of-flight PET reconstruction workbench.\n"
                                    "Apache License 2.0")
                                .arg(kVersion));
                    }});
}

void MainWindow::buildMenus() {
    std::map<QString, QMenu*> menus;
    menuBar()->setMinimumHeight(32);
    for (const char* name : {"File", "View", "Run", "Tools", "Help"}) {
        menus[name] = menuBar()->addMenu(name);
        menus[name]->setToolTipsVisible(true);
    }
    for (const auto& command : commands_->all()) {
        QMenu* menu = menus[command->menu];
        if (command->separatorBefore) {
            menu->addSeparator();
        }
        if (command->id == "file.save-image") {
            recentMenu_ = new QMenu("Recent", menu);
            menu->addMenu(recentMenu_);
            menu->addSeparator();
        }
        QAction* action = commands_->action(command->id);
        action->setIconVisibleInMenu(false);
        menu->addAction(action);
    }
    refreshRecentMenu();
}

QWidget* MainWindow::buildToolBar() {
    auto* bar = new QWidget;
    bar->setObjectName("toolbar");
    bar->setFixedHeight(44);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 6, 16, 6);
    row->setSpacing(8);
    const auto group = [&](std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            QToolButton* button = makeButton(commands_->action(id), ButtonKind::Bar, bar);
            viewButtons_.push_back(button);
            row->addWidget(button);
        }
    };
    const auto line = [&] {
        auto* separator = new HairLine(Qt::Vertical);
        separator->setFixedHeight(16);
        row->addSpacing(8);
        row->addWidget(separator);
        row->addSpacing(8);
    };
    group({"file.open", "file.simulate"});
    line();
    group({"run.start", "run.pause", "run.step", "run.finish", "run.cancel"});
    line();
    group({"page.slices", "page.compare"});
    row->addStretch();
    auto* light = new Switch("Light");
    light->setObjectName("toolbar.light");
    light->setToolTip("Light instead of dark ground around the pictures");
    QAction* action = commands_->action("view.light");
    connect(light, &QAbstractButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::changed, light, [light, action] { light->setChecked(action->isChecked()); });
    row->addWidget(light);
    return bar;
}

QWidget* MainWindow::buildRail() {
    auto* rail = new QWidget;
    rail->setObjectName("rail");
    rail->setFixedWidth(kRailWidth);
    auto* column = new QVBoxLayout(rail);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    const std::pair<const char*, const char*> entries[] = {
        {"study", "Study"}, {"kernel", "Kernel"}, {"settings", "Reconstruct"}, {"list", "Runs"}};
    int index = 0;
    for (const auto& [icon, name] : entries) {
        auto* button = new QToolButton;
        button->setObjectName(QString("rail.") + icon);
        button->setProperty("icon-name", icon);
        button->setAccessibleName(name);
        button->setToolTip(QString(name) + ": opens over the pictures");
        button->setFixedSize(32, 32);
        button->setIconSize({16, 16});
        button->setIcon(themedIcon(icon, Theme::of(*this)));
        connect(button, &QToolButton::clicked, this, [this, index] {
            const bool open = left_->isVisible() && left_->parentWidget() == centralWidget();
            showOverlay(!open);
            if (!open) {
                left_->ensureWidgetVisible(study_->section(index), 0, 0);
            }
        });
        column->addWidget(button);
        ++index;
    }
    column->addStretch();
    rail->hide();
    return rail;
}

// ---- sizes ----

void MainWindow::showOverlay(bool visible) {
    if (!narrow_) {
        return;
    }
    left_->setParent(centralWidget());
    const QPoint corner = bench_->mapTo(centralWidget(), QPoint(kRailWidth, 0));
    left_->setGeometry(corner.x(), corner.y(), kLeftWidth, bench_->height());
    left_->setVisible(visible);
    left_->raise();
}

void MainWindow::fit() {
    const bool narrow = width() < kNarrow;
    if (narrow != narrow_) {
        narrow_ = narrow;
        rail_->setVisible(narrow);
        if (narrow) {
            showOverlay(false);
        } else {
            qobject_cast<QHBoxLayout*>(bench_->layout())->insertWidget(1, left_);
            left_->show();
        }
    }
    for (QToolButton* button : viewButtons_) {
        button->setToolButtonStyle(width() < 1040 ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    }
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fit();
    if (!shown_ || (event->oldSize().height() >= 860) != (height() >= 860)) {
        figures_->section(2)->setFolded(height() < 860);
        study_->section(0)->setFolded(height() < 800);
        figures_->chart()->setFixedHeight(height() < 860 ? 260 : 296);
        shown_ = true;
    }
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress && narrow_ && left_->isVisible()) {
        auto* widget = qobject_cast<QWidget*>(watched);
        const bool inside = widget != nullptr && (widget == left_ || left_->isAncestorOf(widget) ||
                                                  rail_->isAncestorOf(widget) || widget->window() != this);
        if (widget != nullptr && !inside) {
            showOverlay(false);
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

// ---- state ----

void MainWindow::setTheme(ThemeKind kind) {
    applyTheme(*qApp, kind);
    workspace_.view().proposeColourMap(kind == ThemeKind::Dark ? "grey" : "inverse-grey");
    preferences_.setText("theme", kind == ThemeKind::Dark ? "dark" : "light");
    commands_->refreshIcons();
    for (QToolButton* button : rail_->findChildren<QToolButton*>()) {
        button->setIcon(themedIcon(button->property("icon-name").toString(), Theme::of(*this)));
    }
    refresh();
}

void MainWindow::refreshPages() {
    pages_->setCurrentWidget(workspace_.isEmpty() ? static_cast<QWidget*>(start_) : bench_);
    setWindowTitle(workspace_.studyName().isEmpty() ? "Tofscope" : workspace_.studyName() + " - Tofscope");
}

void MainWindow::refreshPanels() {
    study_->refreshStudy();
    study_->refreshSettings();
    study_->refreshRuns();
    figures_->refresh();
    compare_->refresh();
    if (centre_->currentWidget() == compare_ && !compare_->model().whyNot().isEmpty()) {
        centre_->setCurrentWidget(viewer_);
    }
    commands_->refresh();
}

void MainWindow::refresh() {
    refreshPages();
    viewer_->refresh();
    status_->update();
    refreshPanels();
}

void MainWindow::refreshNow() {
    workspace_.runs().flush();
    workspace_.view().flush();
    refresh();
}

void MainWindow::refreshRecentMenu() {
    recentMenu_->clear();
    const QStringList files = preferences_.recent();
    recentMenu_->setEnabled(!files.isEmpty());
    for (const QString& path : files) {
        QAction* action = recentMenu_->addAction(QFileInfo(path).fileName(), this,
                                                 [this, path] { workspace_.open({path}); });
        action->setEnabled(QFileInfo::exists(path));
        action->setToolTip(path);
    }
    if (!files.isEmpty()) {
        recentMenu_->addSeparator();
        recentMenu_->addAction("Clear list", this, [this] {
            preferences_.clearRecent();
            refreshRecentMenu();
            start_->refreshRecent();
        });
    }
}

void MainWindow::showRunMenu(int runId, const QPoint& at) {
    workspace_.runs().select(runId);
    workspace_.runs().flush();
    QMenu menu(this);
    menu.addAction(commands_->action("file.save-image"));
    menu.addAction(commands_->action("run.remove"));
    RunItem* item = workspace_.runs().find(runId);
    if (item != nullptr && !item->isVolume) {
        menu.addAction("Use its settings for the next run", this,
                       [this, settings = item->settings] { workspace_.setSettings(settings); });
    }
    menu.exec(at);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    RunItem* item = workspace_.activeRun();
    if (item != nullptr && options_.askBeforeClosing &&
        QMessageBox::question(this, "Close Tofscope", "Stop run " + item->label + " and close?") !=
            QMessageBox::Yes) {
        event->ignore();
        return;
    }
    preferences_.setBytes("geometry", saveGeometry());
    workspace_.shutdown();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            paths << url.toLocalFile();
        }
    }
    event->acceptProposedAction();
    workspace_.open(paths);
}

}  // namespace tof::ui
