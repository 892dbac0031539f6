// SPDX-License-Identifier: Apache-2.0
#include "ui/window/main_window.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "recon/base/error.h"
#include "ui/desk/run_rescue.h"
#include "ui/desk/session_keeper.h"
#include "ui/kit/icons.h"
#include "ui/kit/text.h"
#include "ui/rois/roi_table.h"

namespace tof::ui {

namespace {

constexpr int kLeftWidth = 272;
constexpr int kRightWidth = 336;
constexpr int kRailWidth = 48;
constexpr int kNarrow = 1366;
constexpr std::size_t kButtonsBeforePages = 7;  // in the tool bar

QScrollArea* panelArea(QWidget* panel, int width) {
    auto* area = new QScrollArea;
    area->setWidget(panel);
    area->setWidgetResizable(true);
    area->setFixedWidth(width);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);  // it follows the focus of what is in it
    return area;
}

}  // namespace

MainWindow::MainWindow(Workspace& workspace, Preferences& preferences, const Options& options)
    : workspace_(workspace), preferences_(preferences), options_(options) {
    workspace_.setKernelFolder(preferences_.kernelFolder());
    setWindowTitle("Tofscope");
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    setMinimumSize(960, 600);

    viewer_ = new Viewer(workspace_, options.renderer);
    compare_ = new ComparePage(workspace_, options.renderer);
    data_ = new DataPage(workspace_, options.renderer);
    lab_ = new KernelLabPage(workspace_);
    centre_ = new QStackedWidget;
    centre_->addWidget(viewer_);
    centre_->addWidget(compare_);
    centre_->addWidget(data_);
    centre_->addWidget(lab_);
    matched_ = new MatchedPage(workspace_, options.renderer);
    centre_->addWidget(matched_);
    commands_ = new CommandRegistry(this, centre_);
    addFileCommands();
    addRunCommands();
    addViewCommands();
    addCompareCommands();
    addDataCommands();
    addRoiCommands();
    addLabCommands();
    addExportCommands();
    study_ = new StudyPanel(workspace_, *commands_);
    figures_ = new FiguresPanel(workspace_, *commands_);
    addHelpCommands();
    addSessionCommands();
    addPreferenceCommands();
    applyPreferences();
    commands_->refreshIcons();
    viewer_->buildBar(*commands_);
    compare_->buildBar(*commands_);
    data_->buildBar(*commands_);
    lab_->build(*commands_);
    matched_->buildBar(*commands_);
    connect(matched_, &MatchedPage::levelChanged, this, &MainWindow::showNoiseLevel);
    connect(centre_, &QStackedWidget::currentChanged, this, &MainWindow::showNoiseLevel);
    connect(&compare_->model(), &CompareModel::changed, this, [this] { commands_->refresh(); });
    connect(&data_->model(), &DataModel::changed, this, [this] { commands_->refresh(); });

    left_ = panelArea(study_, kLeftWidth);
    left_->setObjectName("panel.left");
    left_->setAccessibleName(tr("Study, kernel, settings and runs"));
    right_ = panelArea(figures_, kRightWidth);
    right_->setObjectName("panel.right");
    right_->setAccessibleName(tr("Curves, ROIs and stages"));
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
    toolBar_ = buildToolBar();
    rows->addWidget(toolBar_);
    rows->addWidget(new HairLine(Qt::Horizontal));
    rows->addWidget(pages_, 1);
    rows->addWidget(status_);
    setCentralWidget(central);
    buildMenus();
    connect(centre_, &QStackedWidget::currentChanged, this, &MainWindow::showSides);
    connect(centre_, &QStackedWidget::currentChanged, this, &MainWindow::nameUndo);

    for (SlicePane* pane : centre_->findChildren<SlicePane*>()) {
        connect(pane, &SlicePane::contextRequested, this, &MainWindow::showPictureMenu);
    }
    connect(viewer_->roiTable(), &RoiTable::contextRequested, this, &MainWindow::showRoiMenu);
    connect(figures_, &FiguresPanel::roiContextRequested, this, &MainWindow::showRoiMenu);
    connect(viewer_->roiTable(), &KeyTable::copyRequested, this, &MainWindow::copyRoiTable);
    connect(figures_, &FiguresPanel::copyRequested, this, &MainWindow::copyRoiTable);
    connect(study_, &StudyPanel::runContextRequested, this, &MainWindow::showRunMenu);
    connect(status_, &StatusStrip::messagesRequested, this, [this] { commands_->trigger("help.messages"); });
    connect(&workspace_.view(), &ViewModel::changed, this, [this] {
        viewer_->refresh();
        figures_->refreshRois();
        compare_->refresh();
        data_->refresh();
        lab_->refresh();
        matched_->refresh();
        commands_->refresh();
    });
    connect(&workspace_.roiModel(), &RoiModel::changed, this, [this] {
        viewer_->refreshRois();
        figures_->refreshRois();
        compare_->refresh();
        if (!workspace_.roiModel().dragging()) {
            commands_->refresh();  // nothing can be chosen meanwhile
        }
    });
    connect(&workspace_.curves(), &RoiCurves::changed, this, [this] {
        figures_->chart()->update();
        matched_->refresh();
    });
    connect(viewer_->roiTable(), &RoiTable::editRequested, this, [this] { figures_->showEditor(true); });
    connect(figures_, &FiguresPanel::editorShown, commands_, &CommandRegistry::refresh);
    connect(&workspace_.roiModel().undo(), &QUndoStack::indexChanged, this, &MainWindow::nameUndo);
    connect(&workspace_.roiModel(), &RoiModel::toolChanged, commands_, &CommandRegistry::refresh);
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
        study_->refreshRuns();
        commands_->refresh();
    });
    connect(&workspace_.live(), &LiveTuning::changed, this, [this] {
        study_->refreshSettings();
        status_->update();
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

    addRoiSession();
    const QByteArray geometry = preferences_.bytes("geometry");
    if (geometry.isEmpty() || !restoreGeometry(geometry)) {
        resize(1600, 1000);
    }
    for (auto* table : findChildren<QAbstractItemView*>()) {
        table->setTabKeyNavigation(false);  // Tab goes on to the next field; arrows move within
    }
    qApp->installEventFilter(this);
    start_->probeEngines();
    refresh();
    start_->setFocus();
}

void MainWindow::buildMenus() {
    std::map<QString, QMenu*> menus;
    menuBar()->setMinimumHeight(32);
    for (const char* name : {"File", "Edit", "View", "Kernel", "Run", "ROIs", "Curves", "Tools", "Help"}) {
        menus[name] = menuBar()->addMenu(word(name));
        menus[name]->setToolTipsVisible(true);
    }
    for (const auto& command : commands_->all()) {
        QMenu* menu = menus[command->menu];
        if (command->separatorBefore) {
            menu->addSeparator();
        }
        if (command->id == "file.save-image") {
            recentMenu_ = new QMenu(tr("Recent"), menu);
            menu->addMenu(recentMenu_);
            menu->addSeparator();
        }
        QAction* action = commands_->action(command->id);
        action->setIconVisibleInMenu(false);
        if (const QString title = submenuOf(command->id); !title.isEmpty()) {
            QMenu*& sub = menus[command->menu + "/" + title];
            if (sub == nullptr) {
                sub = menu->addMenu(title);
                sub->setToolTipsVisible(true);
            }
            menu = sub;
        }
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
    group({"page.slices", "page.compare", "page.lab", "page.data"});
    row->addStretch();
    const auto addSwitch = [&](const char* name, const QString& text, const char* command) {
        auto* button = new Switch(text);
        button->setObjectName(name);
        QAction* action = commands_->action(command);
        connect(button, &QAbstractButton::clicked, action, &QAction::trigger);
        const auto follow = [button, action] {
            button->setChecked(action->isChecked());
            button->setToolTip(action->toolTip());
        };
        follow();
        connect(action, &QAction::changed, button, follow);
        row->addWidget(button);
        return button;
    };
    liveSwitch_ = addSwitch("toolbar.live", tr("Live tuning"), "run.live");
    static_cast<void>(addSwitch("toolbar.light", tr("Light"), "view.light"));
    return bar;
}

QWidget* MainWindow::buildRail() {
    auto* rail = new QWidget;
    rail->setObjectName("rail");
    rail->setFixedWidth(kRailWidth);
    auto* column = new QVBoxLayout(rail);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    const std::pair<const char*, QString> entries[] = {{"study", tr("Study")},
                                                       {"kernel", tr("Kernel")},
                                                       {"settings", tr("Reconstruct")},
                                                       {"list", tr("Runs")}};
    int index = 0;
    for (const auto& [icon, name] : entries) {
        auto* button = new QToolButton;
        button->setObjectName(QString("rail.") + icon);
        button->setProperty("icon-name", icon);
        button->setAccessibleName(name);
        button->setToolTip(tr("%1: opens over the pictures").arg(name));
        button->setFixedSize(32, 32);
        button->setIconSize({16, 16});
        button->setIcon(themedIcon(icon, Theme::of(*this)));
        connect(button, &QToolButton::clicked, this, [this, index] {
            const bool open = left_->isVisible() && left_->parentWidget() == centralWidget();
            showOverlay(!open);
            if (!open) {
                left_->verticalScrollBar()->setValue(study_->section(index)->y());
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
        }
        showSides();
    }
    fitToolBar();
}

/// As many texts as there is room for, in any language: first the switch is shortened, then the buttons left
/// of the pages keep only their icons, then the pages, too.
void MainWindow::fitToolBar() {
    struct Step {
        QString live;
        std::size_t firstWithText;
    };
    const Step steps[] = {{tr("Live tuning"), 0},
                          {tr("Live"), 0},
                          {tr("Live"), kButtonsBeforePages},
                          {tr("Live"), viewButtons_.size()}};
    for (const Step& step : steps) {
        liveSwitch_->setText(step.live);
        liveSwitch_->updateGeometry();
        for (std::size_t i = 0; i < viewButtons_.size(); ++i) {
            viewButtons_[i]->setToolButtonStyle(i < step.firstWithText ? Qt::ToolButtonIconOnly
                                                                       : Qt::ToolButtonTextBesideIcon);
        }
        if (toolBar_->layout()->sizeHint().width() <= width()) {
            return;
        }
    }
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fit();
    if (!shown_ || (event->oldSize().height() >= 860) != (height() >= 860)) {
        figures_->section(2)->setFolded(height() < 860);
        study_->section(0)->setFolded(height() < 800);
        figures_->chart()->setFixedHeight(height() < 860 ? 236 : 268);
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

/// The lab has sides of its own.
void MainWindow::showSides() {
    const bool lab = centre_->currentWidget() == lab_;
    left_->setVisible(!lab && !narrow_);
    rail_->setVisible(!lab && narrow_);
    right_->setVisible(!lab);
}

// ---- state ----

void MainWindow::carefully(const QString& title, const std::function<void()>& body) {
    try {
        body();
    } catch (const Error& fault) {
        workspace_.messages().add(Severity::Error, title + ": " + fault.what());
    }
}

void MainWindow::setTheme(ThemeKind kind) {
    preferences_.setValue("theme", kind == ThemeKind::Dark ? "dark" : "light");
    showTheme(kind);
}

void MainWindow::showTheme(ThemeKind kind) {
    applyTheme(*qApp, kind);
    proposeMap(kind);
    commands_->refreshIcons();
    for (QToolButton* button : rail_->findChildren<QToolButton*>()) {
        button->setIcon(themedIcon(button->property("icon-name").toString(), Theme::of(*this)));
    }
    refresh();
}

void MainWindow::refreshPages() {
    const bool start = workspace_.isEmpty() && centre_->currentWidget() != lab_;
    QWidget* const page = start ? static_cast<QWidget*>(start_) : bench_;
    if (pages_->currentWidget() != page) {
        pages_->setCurrentWidget(page);
        if (!start && centre_->currentWidget() == viewer_) {
            viewer_->pane(workspace_.view().activePlane())->setFocus();  // its keys are ready at once
        }
    }
    const QString name = workspace_.hasFolder() && !workspace_.writesStudy()
                             ? tr("%1 (not saved)").arg(workspace_.studyName())
                             : workspace_.studyName();
    setWindowTitle(name.isEmpty() ? "Tofscope" : name + " - Tofscope");
}

void MainWindow::showNoiseLevel() {
    const bool shown = centre_->currentWidget() == matched_ && matched_->level();
    figures_->chart()->setNoiseLevel(shown ? std::optional(100 * *matched_->level()) : std::nullopt);
}

void MainWindow::refreshPanels() {
    study_->refreshStudy();
    study_->refreshSettings();
    study_->refreshRuns();
    figures_->refresh();
    matched_->refresh();
    compare_->refresh();
    data_->refresh();
    lab_->refresh();
    const bool nothingToCompare =
        centre_->currentWidget() == compare_ && !compare_->model().whyNot().isEmpty();
    if (nothingToCompare || (centre_->currentWidget() == data_ && data_->model().viewCount() == 0)) {
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
    workspace_.roiModel().flush();
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
        recentMenu_->addAction(tr("Clear list"), this, [this] {
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
    for (const char* id : {"run.start-queue", "run.earlier", "run.later", "run.continue", "run.duplicate",
                           "run.rename", "file.save-image", "run.remove"}) {
        menu.addAction(commands_->action(id));
    }
    RunItem* item = workspace_.runs().find(runId);
    if (item != nullptr && !item->isVolume()) {
        menu.addAction(tr("Use its settings for the next run"), this,
                       [this, settings = item->settings()] { workspace_.setSettings(settings); });
    }
    menu.exec(at);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayStopRuns(tr("Close Tofscope"))) {
        event->ignore();
        return;
    }
    preferences_.setBytes("geometry", saveGeometry());
    keeper_->end();
    workspace_.shutdown();
    event->accept();
}

QString MainWindow::whatStoppingDoes() {
    QStringList sentences;
    const bool kept = workspace_.writesStudy() || rescue_->keeps();
    const RunItem* item = workspace_.activeRun();
    const int reached = item->timing().empty() ? 0 : item->timing().back().iteration;
    if (!kept) {
        sentences << tr("Stop run %1? Nothing of it is kept.").arg(item->label());
    } else if (reached > 0) {
        sentences << tr("Stop run %1? Its iterate %2 is kept, and Continue goes on from there.")
                         .arg(item->label())
                         .arg(reached);
    } else {
        sentences
            << tr("Stop run %1? It has no whole iterate yet and goes back to the queue.").arg(item->label());
    }
    QStringList letters;
    for (const RunItem* each : workspace_.queue()) {
        letters << each->label();
    }
    if (!letters.isEmpty()) {
        const QString all = letters.join(", ");
        sentences << (workspace_.writesStudy()
                          ? tr("The queue stays in the study, not started: %1. Start queue begins with it.")
                                .arg(all)
                      : kept ? tr("What waits is kept, not started: %1.").arg(all)
                             : tr("What waits is dropped: %1.").arg(all));
    }
    if (kept && !workspace_.writesStudy()) {
        sentences << tr("File > Recover runs brings back what is kept.");
    }
    return sentences.join("\n");
}

bool MainWindow::mayStopRuns(const QString& title) {
    return workspace_.activeRun() == nullptr || confirm(title, whatStoppingDoes(), tr("Stop the run"));
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
