// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMainWindow>
#include <functional>

#include "ui/desk/workspace.h"
#include "ui/kit/commands.h"
#include "ui/kit/preferences.h"
#include "ui/kit/theme.h"
#include "ui/lab/kernel_lab_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/data_page.h"
#include "ui/pages/figures_panel.h"
#include "ui/pages/matched_page.h"
#include "ui/pages/start_page.h"
#include "ui/pages/status_strip.h"
#include "ui/pages/study_panel.h"
#include "ui/pages/viewer.h"

class QScrollArea;
class QStackedWidget;

namespace tof::ui {

class Cine;
class RunRescue;
class SessionKeeper;

/// The window: menus and tool bar from the command registry, the study at the left, pictures in the middle,
/// figures at the right, status below. It holds no state of its own beyond geometry.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    struct Options {
        viz::RendererChoice renderer = viz::RendererChoice::Auto;
        bool askBeforeClosing = true;             ///< scripts and tests are not asked
        ThemeKind systemTheme = ThemeKind::Dark;  ///< of the other windows on this desktop
    };
    /// `workspace` and `preferences` outlive the window.
    MainWindow(Workspace& workspace, Preferences& preferences, const Options& options);
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
    /// The whole ROI table below its definitions, as files have it.
    [[nodiscard]] QString roiTableFile() const;
    /// Takes a theme and remembers it.
    void setTheme(ThemeKind kind);
    /// What picture files show: the slices alone, or the whole of another page.
    [[nodiscard]] QWidget& picturesWidget();
    /// What is on screen, as the start of a file's name: "A variant1, iterate 5 - B invariant, iterate 5".
    [[nodiscard]] QString shownName();
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
    void addFileCommands();
    void addRunCommands();
    void addViewCommands();
    void addChartCommands();
    void addCompareCommands();
    void addDataCommands();
    void addRoiCommands();
    void addLabCommands();
    void addPresetCommands();
    void saveKernelPreset();
    /// Runs `body`; what it throws becomes a message.
    void carefully(const QString& title, const std::function<void()>& body);
    void showSides();
    void addRoiEditCommands();
    void addRoiMakingCommands();
    void addRoiFileCommands();
    void addMatchedCommands();
    void addRoiSession();
    /// Empty when an ROI is selected, else the reason.
    [[nodiscard]] QString whyNoRoi() const;
    /// ROIs over the picture with the frame.
    [[nodiscard]] RoiOverlay& activeRois();
    void addExportCommands();
    void addSessionCommands();
    [[nodiscard]] QJsonObject windowToJson() const;
    void windowFromJson(const QJsonObject& saved);
    [[nodiscard]] static QStringList pageCommands();
    void addHelpCommands();
    void addPreferenceCommands();
    void applyPreference(const QString& key);
    void applyPreferences();
    void showTheme(ThemeKind kind);
    void proposeMap(ThemeKind kind);
    /// False when nothing is asked before work is lost.
    [[nodiscard]] bool asks() const;
    void buildMenus();
    QWidget* buildToolBar();
    QWidget* buildRail();
    void fit();
    void fitToolBar();
    void refresh();
    void refreshPages();
    void refreshPanels();
    void showNoiseLevel();
    void refreshRecentMenu();
    void continueSelected();
    void cancelActive();
    void deleteSelected();
    void clearQueue();
    /// Asks before work is lost, unless the preferences say not to; true when it may be.
    [[nodiscard]] bool confirm(const QString& title, const QString& text, const QString& yes);
    /// What becomes of the run in work, and of those that wait, when they are stopped.
    [[nodiscard]] QString whatStoppingDoes();
    /// Asks when a run is going on; true when it may be stopped.
    bool mayStopRuns(const QString& title);
    void moveSelectedInQueue(int step);
    [[nodiscard]] QString whyNotMoveInQueue(int step);
    void savePictures();
    void binList(const QString& path);
    void fillMenu(QMenu& menu, std::initializer_list<const char*> ids);
    QMenu* newContextMenu(const char* name);
    void showRoiMenu(int roi, const QPoint& at, const QString& value = {});
    /// The table as text, with the selected ROI as JSON beside it so that it can be pasted.
    void copyRoiTable();
    /// The Edit menu says what undo and redo would do.
    void nameUndo();
    void showPictureMenu(int roi, const QPoint& at);
    /// Title of the submenu that a command goes into; empty: none.
    [[nodiscard]] static QString submenuOf(const QString& id);
    void showRunMenu(int runId, const QPoint& at);
    void showOverlay(bool visible);
    void stepImage(int step);
    void saveText(const QString& title, const QString& name, const QString& text);

    Workspace& workspace_;
    Preferences& preferences_;
    Options options_;
    CommandRegistry* commands_;
    SessionKeeper* keeper_ = nullptr;
    RunRescue* rescue_ = nullptr;
    Cine* cine_ = nullptr;
    QStackedWidget* pages_;
    StartPage* start_;
    QWidget* bench_;
    QScrollArea* left_;
    QWidget* rail_;
    QScrollArea* right_;
    StudyPanel* study_;
    QStackedWidget* centre_;
    Viewer* viewer_;
    ComparePage* compare_;
    DataPage* data_;
    KernelLabPage* lab_;
    MatchedPage* matched_;
    FiguresPanel* figures_;
    StatusStrip* status_;
    QMenu* recentMenu_ = nullptr;
    Switch* liveSwitch_ = nullptr;
    QWidget* toolBar_ = nullptr;
    std::vector<QToolButton*> viewButtons_;
    bool narrow_ = false;
    bool shown_ = false;
};

/// What the preference says; `system` is what it means by "as the system".
[[nodiscard]] ThemeKind preferredTheme(const Preferences& preferences, ThemeKind system);

}  // namespace tof::ui
