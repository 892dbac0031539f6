// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>
#include <array>
#include <nlohmann/json_fwd.hpp>
#include <vector>

class QDockWidget;
class QMainWindow;
class QScrollArea;
class QToolButton;

namespace tof::ui {

class CommandRegistry;
class FiguresPanel;
class PageStack;
class StudyPanel;

/// The pages with a panel at each side: study and runs, curves and ROIs. A panel is dragged to another side,
/// onto the other one or out into a window of its own, made wider, and hidden. Where it is hidden, or the
/// window too narrow for it, a rail of buttons opens it over the pages.
class SidePanels : public QWidget {
    Q_OBJECT

  public:
    /// `commands` outlives this; the panels' commands are added to it.
    explicit SidePanels(CommandRegistry& commands);
    /// Takes the widgets, once the commands are whole.
    void build(StudyPanel& study, FiguresPanel& figures, PageStack& pages);

    [[nodiscard]] QWidget* left() const;
    [[nodiscard]] QWidget* right() const;
    /// What a window of this width has room for.
    void fit(int windowWidth);
    /// Follows the page in front: lab and experiments have sides of their own.
    void refresh();
    void refreshIcons();
    /// A mouse button went down there: a panel over the pages goes when it was elsewhere in this window.
    void pressed(const QWidget& widget);

    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);

  private:
    struct Panel {
        QString id;       ///< "study"
        QString title;    ///< "Study and runs"
        int width;        ///< at the start, px, and the least
        int wideWidth;    ///< at the start in a wide window
        int leastWindow;  ///< px; a narrower window has no room beside the pages
        bool atTheLeft;   ///< at the start
        QDockWidget* dock{};
        QScrollArea* area{};
        bool shown = true;  ///< by the user
        bool over = false;  ///< the rail opens it
    };

    void addCommands(Panel& panel);
    void dockPanel(Panel& panel, QWidget& content);
    void buildRail(StudyPanel& study);
    QToolButton* addToRail(const QString& icon, const QString& name);
    /// The widths of the start, for a window as wide as this one.
    void shareWidth();
    void setShown(Panel& panel, bool shown);
    void setFloating(Panel& panel, bool floating);
    void changeSide(Panel& panel);
    /// Shows a panel over the pages, or hides it.
    void setOver(const Panel& panel, bool visible);
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    CommandRegistry& commands_;
    std::array<Panel, 2> panels_;
    PageStack* pages_ = nullptr;
    QMainWindow* docks_;
    QWidget* rail_;
    QToolButton* figuresButton_ = nullptr;
    std::vector<QToolButton*> studyButtons_;
    int windowWidth_ = 0;
};

}  // namespace tof::ui
