// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMainWindow>
#include <memory>

#include "recon/base/log.h"
#include "ui/desk/run_rescue.h"
#include "ui/desk/session_keeper.h"
#include "ui/kit/commands.h"
#include "ui/kit/page.h"
#include "ui/kit/preferences.h"
#include "ui/kit/questions.h"
#include "ui/kit/theme.h"
#include "ui/lab/kernel_lab_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/data_page.h"
#include "ui/pages/export_commands.h"
#include "ui/pages/figures_panel.h"
#include "ui/pages/matched_page.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/start_page.h"
#include "ui/pages/status_strip.h"
#include "ui/pages/stop_question.h"
#include "ui/pages/study_panel.h"
#include "ui/pages/viewer.h"
#include "ui/window/window_session.h"
#include "ui/window/wing.h"

class QStackedWidget;

namespace tof::ui {

class Desk;

class PreferenceCommands;
class SidePanels;
class ToolBar;

/// The window: menus and tool bar from the command registry, the study at the left, pages in the middle,
/// figures at the right, status below. It holds no state of its own beyond geometry.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    struct Options {
        bool askBeforeClosing = true;             ///< scripts and tests are not asked
        ThemeKind systemTheme = ThemeKind::Dark;  ///< that of the other windows on this desktop
        std::shared_ptr<Log> log = std::make_shared<NoLog>();
        std::vector<Wing> wings{};
    };
    /// `desk` and `preferences` outlive the window.
    MainWindow(Desk& desk, Preferences& preferences, const Options& options);
    ~MainWindow() override;

    [[nodiscard]] CommandRegistry& commands() { return *commands_; }
    [[nodiscard]] Viewer& viewer() { return *viewer_; }
    [[nodiscard]] ComparePage& comparePage() { return *compare_; }
    [[nodiscard]] DataPage& dataPage() { return *data_; }
    [[nodiscard]] KernelLabPage& labPage() { return *lab_; }
    [[nodiscard]] MatchedPage& matchedPage() { return *matched_; }
    [[nodiscard]] FiguresPanel& figuresPanel() { return *figures_; }
    [[nodiscard]] StudyPanel& studyPanel() { return *study_; }
    [[nodiscard]] StatusStrip& status() { return *status_; }
    [[nodiscard]] NoticeBar& notice() { return *notice_; }
    /// The page in front, for picture files.
    [[nodiscard]] Page& pageInFront() { return pages_->inFront(); }
    /// Takes a theme and remembers it.
    void setTheme(ThemeKind kind);
    /// What is on screen, as the start of a file's name.
    [[nodiscard]] QString shownName() { return exports_->shownName(); }
    [[nodiscard]] SessionKeeper& keeper() { return *keeper_; }
    [[nodiscard]] RunRescue& rescue() { return *rescue_; }
    /// Brings every widget up to date with the models at once; for tests and screenshots.
    void refreshNow();

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void keepSessions();
    [[nodiscard]] static QString crashSentence();
    [[nodiscard]] RunModels runModels();
    void putTogether();
    void addPagesAndCommands();
    void addPanelCommands();
    /// The keys go to the pictures, or where none are, to nobody; fields of pages that stand alone keep them.
    void returnKeys(const QWidget& field);
    /// The keys go to the panel beside the one that has them: `step` is 1 or -1.
    void jump(int step);
    void arrange();
    void buildMenus();
    void keepLook();
    void connectWidgets();
    void fit();
    void placeNotice();
    void showTheme(ThemeKind kind);
    void showNoiseLevel();
    /// All of it at once, for another theme or page and for refreshNow(); else widgets follow the models.
    void refresh();
    void refreshFront();
    void leaveEmptyPage();

    Desk& desk_;
    Preferences& preferences_;
    Options options_;
    Questions questions_;
    CommandRegistry* commands_ = nullptr;
    SessionKeeper* keeper_ = nullptr;
    RunRescue* rescue_ = nullptr;
    std::unique_ptr<StopQuestion> stopping_;
    ExportCommands* exports_ = nullptr;
    PreferenceCommands* habits_ = nullptr;
    QStackedWidget* front_ = nullptr;  ///< the start page, or the bench
    StartPage* start_ = nullptr;
    SidePanels* bench_ = nullptr;
    StudyPanel* study_ = nullptr;
    PageStack* pages_;
    Viewer* viewer_ = nullptr;
    ComparePage* compare_ = nullptr;
    DataPage* data_ = nullptr;
    KernelLabPage* lab_ = nullptr;
    MatchedPage* matched_ = nullptr;
    FiguresPanel* figures_ = nullptr;
    StatusStrip* status_ = nullptr;
    NoticeBar* notice_ = nullptr;
    ToolBar* toolBar_ = nullptr;
    std::unique_ptr<WindowSession> session_;
    bool shown_ = false;
};

}  // namespace tof::ui
