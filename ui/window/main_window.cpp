// SPDX-License-Identifier: Apache-2.0
#include "ui/window/main_window.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/desk/desk.h"
#include "ui/kit/field_habits.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/theme.h"
#include "ui/pages/figure_page.h"
#include "ui/pages/image_commands.h"
#include "ui/pages/layer_commands.h"
#include "ui/pages/own_ranges.h"
#include "ui/pages/place_commands.h"
#include "ui/pages/recent_files.h"
#include "ui/pages/roi_commands.h"
#include "ui/pages/run_commands.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/view_commands.h"
#include "ui/rois/roi_table.h"
#include "ui/window/calibrate_commands.h"
#include "ui/window/context_menus.h"
#include "ui/window/detached_panes.h"
#include "ui/window/dialogs.h"
#include "ui/window/file_commands.h"
#include "ui/window/follow_commands.h"
#include "ui/window/help_commands.h"
#include "ui/window/menus.h"
#include "ui/window/page_table.h"
#include "ui/window/preference_commands.h"
#include "ui/window/side_panels.h"
#include "ui/window/time_commands.h"
#include "ui/window/tool_bar.h"
#include "ui/window/within_screen.h"

namespace tof::ui {

namespace {

constexpr int kLeastWidth = 640;
constexpr int kLeastHeight = 330;  ///< 1366 x 768 at scale 2, with a title bar
constexpr int kHighWindow = 1300;  ///< from here on curves are drawn higher

/// What the window of a first start is as large as: with title bar and frame it fits on the screen.
QSize firstSize(const QSize& available) {
    constexpr int kFrame = 16;
    constexpr int kTitleBar = 48;
    return QSize(1600, 1000)
        .boundedTo(available - QSize(kFrame, kTitleBar))
        .expandedTo(QSize(kLeastWidth, kLeastHeight));
}

}  // namespace

MainWindow::MainWindow(Desk& desk, Preferences& preferences, const Options& options)
    : desk_(desk),
      preferences_(preferences),
      options_(options),
      questions_(*this, preferences, options.askBeforeClosing ? Asking::AsPreferred : Asking::Never),
      pages_(new PageStack) {
    desk_.settings().setKernelFolder(preferences_.kernelFolder());
    setWindowTitle("Tofscope");
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    setMinimumSize(kLeastWidth, kLeastHeight);
    // Before there are fields: they are told when they are made.
    new WithinScreen(this);
    connect(new FieldHabits(this), &FieldHabits::chosen, this,
            [this](QWidget* field) { returnKeys(*field); });
    commands_ = new CommandRegistry(this, pages_);
    // Before the pages listen: the front is chosen first.
    connect(&desk_.runs(), &RunList::changed, this, &MainWindow::refreshFront);
    connect(&desk_.study(), &OpenStudy::changed, this, &MainWindow::refreshFront);
    connect(&desk_, &Desk::aboutToClose, this, &MainWindow::keepLook);
    keepSessions();
    putTogether();
    session_ = std::make_unique<WindowSession>(
        WindowSession::Parts{*commands_, *viewer_, *compare_, *data_, *lab_, *matched_,
                             pages_->find<RunsPage>(), pages_->find<FigurePage>(),
                             *findChild<DetachedPanes*>(), *bench_, *study_, *figures_},
        desk_.sessions(), desk_.study(), desk_.live(), desk_.messages());
    const QByteArray geometry = preferences_.bytes("geometry");
    if (geometry.isEmpty() || !restoreGeometry(geometry)) {
        resize(firstSize(screen()->availableGeometry().size()));
    }
    for (auto* table : findChildren<QAbstractItemView*>()) {
        table->setTabKeyNavigation(false);  // Tab goes on to the next field; arrows move within
    }
    qApp->installEventFilter(this);
    start_->probeEngines();
    const QString kept = rescue_->summary();
    start_->showRecovery(!kept.isEmpty()      ? kept
                         : keeper_->crashed() ? crashSentence()
                                              : QString(),
                         kept.isEmpty() ? StartPage::Left::Session : StartPage::Left::Runs);
    refresh();
    start_->setFocus();
}

MainWindow::~MainWindow() {
    if (QWidget* field = focusWidget()) {
        field->clearFocus();  // what was typed is taken while there are pages to show it
    }
    session_.reset();  // while there are pages to ask
}

// ---- parts ----

QString MainWindow::crashSentence() {
    return tr("The last session did not end as it should: File > Reopen last session brings it back");
}

void MainWindow::keepSessions() {
    const QString file = preferences_.sessionFile();
    keeper_ = new SessionKeeper(desk_, file, this);
    if (keeper_->crashed()) {
        desk_.messages().add(Severity::Warning, crashSentence());
    }
    rescue_ =
        new RunRescue(desk_, file.isEmpty() ? QString() : QFileInfo(file).absolutePath() + "/recovery", this);
    stopping_ =
        std::make_unique<StopQuestion>(desk_.queue(), desk_.tasks(), desk_.study(), *rescue_, questions_);
}

RunModels MainWindow::runModels() {
    return {desk_.study(), desk_.runs(),  desk_.queue(),    desk_.settings(),
            desk_.live(),  desk_.tasks(), desk_.messages(), desk_.rois().undo()};
}

void MainWindow::putTogether() {
    const WithoutStyleSheet quick;
    addPagesAndCommands();
    arrange();
    buildMenus();
    connectWidgets();
}

/// Menus and lists of commands follow the order in which they are added here.
void MainWindow::addPagesAndCommands() {
    std::vector<PageRow> rows = pageTable();
    for (const Wing& wing : options_.wings) {
        const std::vector<PageRow> more = wing.pages();
        rows.insert(rows.end(), more.begin(), more.end());
    }
    std::vector<QSize> least;
    for (const PageRow& row : rows) {
        Page* page = row.make(desk_);
        pages_->add(page);
        least.push_back(row.least.expandedTo(QSize(0, 0)));
        connect(page, &Page::commandsChanged, commands_, &CommandRegistry::refresh);
        connect(page, &Page::firstPageAsked, this, [this] { pages_->turnTo(*viewer_); });
    }
    // A stack is as large as the largest of its pages; here only the one in front asks for room.
    const auto giveRoom = [this, least](int front) {
        for (int i = 0; i < pages_->count(); ++i) {
            const bool asks = i == front;
            const auto policy = asks ? QSizePolicy::Preferred : QSizePolicy::Ignored;
            pages_->page(i).setSizePolicy(policy, policy);
            pages_->page(i).setMinimumSize(asks ? least[static_cast<std::size_t>(i)] : QSize(0, 0));
        }
    };
    connect(pages_, &QStackedWidget::currentChanged, this, giveRoom);
    giveRoom(0);
    viewer_ = &pages_->find<Viewer>();
    compare_ = &pages_->find<ComparePage>();
    data_ = &pages_->find<DataPage>();
    lab_ = &pages_->find<KernelLabPage>();
    matched_ = &pages_->find<MatchedPage>();
    figures_ = new FiguresPanel(PictureModels::of(desk_), desk_.curves(), desk_.screen(), desk_.threading());
    const Workbench bench{PictureModels::of(desk_),
                          *commands_,
                          desk_.screen(),
                          desk_.madeImages(),
                          desk_.uptakes(),
                          desk_.messages(),
                          desk_.tasks(),
                          *pages_,
                          *viewer_,
                          *figures_,
                          *this};
    new FileCommands(*commands_, desk_, questions_, *stopping_, *keeper_, *rescue_, *this);
    new RunCommands(*commands_, runModels(), questions_, *this);
    auto* views = new ViewCommands(bench);
    new LayerCommands(bench);
    new DetachedPanes(PictureModels::of(desk_), *commands_, *this);
    new OwnRanges(bench, preferences_);
    new ImageCommands(bench);
    new PlaceCommands(bench);
    new RoiCommands(bench);
    new CalibrateCommands(*commands_, desk_, *this);
    new TimeCommands(*commands_, desk_, *this);
    new FollowCommands(*commands_, desk_, *this);
    for (int i = 0; i < pages_->count(); ++i) {
        addOpenCommand(*commands_, rows[static_cast<std::size_t>(i)], *pages_, pages_->page(i));
        pages_->page(i).addCommands(*commands_);
    }
    exports_ = new ExportCommands(bench);
    addPanelCommands();
    study_ = new StudyPanel(runModels(), desk_.layers(), desk_.view(), desk_.engines(), *commands_);
    figures_->build(*commands_);
    addHelpCommands(*commands_, desk_.engines(), desk_.settings(), desk_.messages(), options_.log, *this);
    habits_ = new PreferenceCommands(*commands_, desk_.settings(), desk_.view(), desk_.screen(), preferences_,
                                     options_.systemTheme, views->cine(), *keeper_, *this);
    connect(views, &ViewCommands::themeRequested, this, &MainWindow::setTheme);
    commands_->refreshIcons();
    for (int i = 0; i < pages_->count(); ++i) {
        pages_->page(i).build(*commands_);
    }
    // What is applied is announced, and commands then look at their pages: these are built by now.
    habits_->applyAll();
    connect(habits_, &PreferenceCommands::themeRequested, this, &MainWindow::showTheme);
}

void MainWindow::addPanelCommands() {
    commands_->add({.id = "panel.next",
                    .menu = "View",
                    .text = tr("Next panel"),
                    .help = tr("Moves the keys from panel to panel: pictures, figures, study"),
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_F6)},
                    .run = [this] { jump(1); }});
    commands_->add({.id = "panel.previous",
                    .menu = "View",
                    .text = tr("Previous panel"),
                    .help = tr("Moves the keys from panel to panel, the other way round"),
                    .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F6)},
                    .run = [this] { jump(-1); }});
    bench_ = new SidePanels(*commands_);
}

void MainWindow::returnKeys(const QWidget& field) {
    if (field.window() != this || pages_->inFront().standsAlone()) {
        return;
    }
    if (viewer_->isInFront()) {
        viewer_->pane(desk_.view().activePlane())->setFocus();
    } else if (QWidget* focused = QApplication::focusWidget()) {
        focused->clearFocus();
    }
}

void MainWindow::jump(int step) {
    const std::vector<QWidget*> panels{bench_->left(), pages_, bench_->right()};
    const auto has = [](const QWidget* panel) { return panel->isAncestorOf(QApplication::focusWidget()); };
    const auto here = std::find_if(panels.begin(), panels.end(), has);
    const auto count = static_cast<int>(panels.size());
    int at = here != panels.end() ? static_cast<int>(here - panels.begin()) : count - 1;
    for (int tried = 0; tried < count; ++tried) {
        at = (at + step + count) % count;
        QWidget* const panel = panels[static_cast<std::size_t>(at)];
        const std::vector<QWidget*> stops = tabStopsOf(panel);
        const auto first = std::find_if(stops.begin(), stops.end(), [](const QWidget* stop) {
            return stop->isVisible() && stop->isEnabled();
        });
        if (panel == pages_ && viewer_->isInFront()) {
            viewer_->pane(desk_.view().activePlane())->setFocus(Qt::TabFocusReason);
            return;
        }
        if (panel->isVisible() && first != stops.end()) {
            panel->activateWindow();  // a panel may be a window of its own
            (*first)->setFocus(Qt::TabFocusReason);
            return;
        }
    }
}

void MainWindow::arrange() {
    bench_->build(*study_, *figures_, *pages_);
    start_ = new StartPage(desk_.engines(), desk_.tasks(), *commands_, preferences_);
    connect(start_, &StartPage::openRequested, this, [this](const QString& path) { desk_.open({path}); });
    front_ = new QStackedWidget;
    front_->addWidget(start_);
    front_->addWidget(bench_);
    status_ = new StatusStrip(runModels());
    toolBar_ = new ToolBar(*commands_);
    auto* central = new QWidget;
    auto* rows = new QVBoxLayout(central);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(toolBar_);
    rows->addWidget(new HairLine(Qt::Horizontal));
    rows->addWidget(front_, 1);
    rows->addWidget(status_);
    setCentralWidget(central);
    notice_ = new NoticeBar(desk_.messages(), central);
}

void MainWindow::buildMenus() {
    auto* menus = new Menus(*menuBar(), *commands_, preferences_);
    connect(menus, &Menus::openRequested, this, [this](const QString& path) { desk_.open({path}); });
    connect(menus, &Menus::recentCleared, start_, &StartPage::refreshRecent);
    connect(&desk_, &Desk::opened, this, [this, menus](const QString& path) {
        preferences_.addRecent(path);
        menus->refreshRecent();
        start_->refreshRecent();
    });
    auto* context =
        new ContextMenus(*commands_, desk_.runs(), desk_.view(), desk_.rois(), desk_.settings(), *this);
    for (SlicePane* pane : pages_->findChildren<SlicePane*>()) {
        connect(pane, &SlicePane::contextRequested, context, &ContextMenus::showPicture);
    }
    connect(findChild<DetachedPanes*>(), &DetachedPanes::opened, context, [context](SlicePane* pane) {
        connect(pane, &SlicePane::contextRequested, context, &ContextMenus::showPicture);
    });
    connect(viewer_->roiTable(), &RoiTable::contextRequested, context, &ContextMenus::showRoi);
    connect(figures_, &FiguresPanel::roiContextRequested, context, &ContextMenus::showRoi);
    connect(study_, &StudyPanel::runContextRequested, context, &ContextMenus::showRun);
}

void MainWindow::connectWidgets() {
    connect(&desk_.runs(), &RunList::settled, this, &MainWindow::leaveEmptyPage);
    connect(&desk_.study(), &OpenStudy::changed, this, &MainWindow::leaveEmptyPage);
    connect(pages_, &PageStack::chosen, this, &MainWindow::refresh);
    connect(pages_, &QStackedWidget::currentChanged, bench_, &SidePanels::refresh);
    connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::showNoiseLevel);
    connect(matched_, &MatchedPage::levelChanged, this, &MainWindow::showNoiseLevel);
    connect(lab_, &KernelLabPage::compareRequested, this, [this](int a, int b) {
        compare_->model().choose(a, b);
        commands_->trigger("page.compare");
    });
    connect(viewer_->roiTable(), &KeyTable::copyRequested, exports_, &ExportCommands::copyRoiTable);
    connect(viewer_->roiTable(), &RoiTable::editRequested, this, [this] { figures_->setEditorShown(true); });
    connect(figures_, &FiguresPanel::copyRequested, exports_, &ExportCommands::copyRoiTable);
    connect(figures_, &FiguresPanel::editorShown, commands_, &CommandRegistry::refresh);
    connect(notice_, &NoticeBar::detailsRequested, this, [this] { commands_->trigger("help.messages"); });
    connect(notice_, &NoticeBar::openRequested, this, [this](const QString& path) { desk_.open({path}); });
    connect(notice_, &NoticeBar::reportRequested, this, [this] {
        QApplication::clipboard()->setText(reportText(desk_.engines(), desk_.settings(), desk_.messages()));
    });
    connect(status_, &StatusStrip::messagesRequested, this, [this] { commands_->trigger("help.messages"); });
}

/// A picture and the result of what is open, for the list of recent files.
void MainWindow::keepLook() {
    const QString path = desk_.study().path();
    if (path.isEmpty() || preferences_.recentFolder().isEmpty()) {
        return;
    }
    const auto& items = desk_.runs().items();
    const auto runs = std::count_if(items.begin(), items.end(), [](const auto& item) {
        return !item->isVolume() && item->lastIterate() > 0;
    });
    RecentFiles::Look look;
    look.result = runs == 0   ? tr("no runs yet")
                  : runs == 1 ? tr("1 run")
                              : tr("%n runs", "", static_cast<int>(runs));
    // The run that was looked at, else the newest with figures.
    const auto figuresOf = [](const RunItem& item) -> const Figures* {
        const Figures* found = item.isVolume() ? nullptr : item.figuresOf(item.shownIterate());
        return found != nullptr && std::isfinite(found->crc) && std::isfinite(found->noise) ? found : nullptr;
    };
    const int selected = desk_.runs().selectedId();
    const Vec3 cursor = desk_.view().cursor();
    if (desk_.runs().selected() == nullptr || figuresOf(*desk_.runs().selected()) == nullptr) {
        const auto newest = std::find_if(items.rbegin(), items.rend(),
                                         [&](const auto& item) { return figuresOf(*item) != nullptr; });
        if (newest != items.rend()) {
            desk_.runs().select((*newest)->id());
            refreshNow();
        }
    }
    if (const RunItem* run = desk_.runs().selected(); run != nullptr && figuresOf(*run) != nullptr) {
        look.result +=
            tr(", CRC %1 % at %2 % noise")
                .arg(numberText(100 * figuresOf(*run)->crc, 0), numberText(100 * figuresOf(*run)->noise, 0));
    }
    const RunItem* item = desk_.runs().selected();
    if (item != nullptr && item->volume() != nullptr) {
        SlicePane* pane = viewer_->pane(Plane::Transverse);
        const QImage whole = pane->grab().toImage();
        const int side = std::min(whole.width(), whole.height());
        constexpr int kPixels = 96;
        look.picture = whole.copy((whole.width() - side) / 2, (whole.height() - side) / 2, side, side)
                           .scaled(kPixels, kPixels, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    }
    if (desk_.runs().selectedId() != selected) {
        desk_.runs().select(selected);
        refreshNow();
        desk_.view().setCursor(cursor);  // another image's field may not reach it
    }
    RecentFiles(preferences_.recentFolder()).keep(path, look);
}

// ---- sizes ----

/// Over the pictures, below the bar of the page.
void MainWindow::placeNotice() {
    constexpr int kBelowTheBar = 72;
    const bool bench = front_->currentWidget() == bench_;
    QWidget* const over = bench ? static_cast<QWidget*>(pages_) : front_;
    const QPoint corner = over->mapTo(centralWidget(), QPoint(0, bench ? kBelowTheBar : 8));
    notice_->setArea({corner, QSize(over->width(), std::max(0, over->height() - 2 * kBelowTheBar))});
}

void MainWindow::fit() {
    bench_->fit(width());
    toolBar_->fit(width());
    centralWidget()->layout()->activate();
    placeNotice();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fit();
    const auto row = [](int h) { return (h >= 860 ? 1 : 0) + (h >= kHighWindow ? 1 : 0); };
    if (!shown_ || row(event->oldSize().height()) != row(height())) {
        figures_->sections()[2]->setFolded(height() < 860);
        study_->sections()[0]->setFolded(height() < 800);
        figures_->chart()->setFixedHeight(height() < 860 ? 236 : height() < kHighWindow ? 268 : 400);
        shown_ = true;
    }
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    auto* widget = event->type() == QEvent::MouseButtonPress ? qobject_cast<QWidget*>(watched) : nullptr;
    if (widget != nullptr) {
        bench_->pressed(*widget);
    }
    return QMainWindow::eventFilter(watched, event);
}

// ---- state ----

void MainWindow::setTheme(ThemeKind kind) {
    preferences_.setValue("theme", themeName(kind));
    showTheme(kind);
}

void MainWindow::showTheme(ThemeKind kind) {
    applyTheme(*qApp, kind);
    habits_->proposeMap(kind);
    commands_->refreshIcons();
    bench_->refreshIcons();
    refresh();
}

void MainWindow::refreshFront() {
    const bool start = desk_.isEmpty() && !pages_->inFront().standsAlone();
    QWidget* const page = start ? static_cast<QWidget*>(start_) : bench_;
    if (front_->currentWidget() != page) {
        // A page that comes to the front gives the focus to who had it, which would change the plane.
        const Plane plane = desk_.view().activePlane();
        front_->setCurrentWidget(page);
        placeNotice();
        if (!start && viewer_->isInFront()) {
            viewer_->pane(plane)->setFocus();  // its keys are ready at once
        }
    }
    const bool held = desk_.study().hasFolder() ? !desk_.study().writes() : !desk_.unsavedRuns().isEmpty();
    const QString name = held ? tr("%1 (not saved)").arg(desk_.study().name()) : desk_.study().name();
    setWindowTitle(name.isEmpty() ? "Tofscope" : name + " - Tofscope");
}

void MainWindow::showNoiseLevel() {
    const bool shown = matched_->isInFront() && matched_->level();
    figures_->chart()->setNoiseLevel(shown ? std::optional(100 * *matched_->level()) : std::nullopt);
}

void MainWindow::leaveEmptyPage() {
    if (pages_->inFront().isEmpty()) {
        pages_->setCurrentWidget(viewer_);
        commands_->refresh();
    }
}

void MainWindow::refresh() {
    refreshFront();
    for (int i = 0; i < pages_->count(); ++i) {
        pages_->page(i).refresh();
    }
    status_->update();
    study_->refresh();
    figures_->refresh();
    leaveEmptyPage();
    commands_->refresh();
}

void MainWindow::refreshNow() {
    desk_.runs().flush();
    desk_.view().flush();
    desk_.rois().flush();
    refresh();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const QString title = tr("Close Tofscope");
    if (!stopping_->mayEnd(title, desk_.unsavedRuns())) {
        event->ignore();
        return;
    }
    preferences_.setBytes("geometry", saveGeometry());
    keeper_->end();
    desk_.shutdown();
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
    desk_.open(paths);
}

}  // namespace tof::ui
