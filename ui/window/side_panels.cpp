// SPDX-License-Identifier: Apache-2.0
#include "ui/window/side_panels.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <nlohmann/json.hpp>

#include "ui/kit/basic.h"
#include "ui/kit/commands.h"
#include "ui/kit/json.h"
#include "ui/kit/page.h"
#include "ui/kit/theme.h"
#include "ui/pages/figures_panel.h"
#include "ui/pages/study_panel.h"

namespace tof::ui {

namespace {

constexpr int kRailWidth = 48;
constexpr int kTitleHeight = 26;
constexpr int kWideWindow = 2400;

QScrollArea* panelArea(QWidget& content, int width) {
    auto* area = new QScrollArea;
    area->setWidget(&content);
    area->setWidgetResizable(true);
    area->setMinimumWidth(width);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);  // it follows the focus of what is in it
    return area;
}

}  // namespace

SidePanels::SidePanels(CommandRegistry& commands)
    : commands_(commands),
      panels_{Panel{.id = "study",
                    .title = tr("Study and runs"),
                    .width = 272,
                    .wideWidth = 340,
                    .leastWindow = 1366,
                    .atTheLeft = true},
              Panel{.id = "figures",
                    .title = tr("Curves and ROIs"),
                    .width = 333,  // with the line beside it, what bars of pages leave at 1100 px
                    .wideWidth = 520,
                    .leastWindow = 960,
                    .atTheLeft = false}},
      docks_(new QMainWindow),
      rail_(new QWidget) {
    docks_->setWindowFlags(Qt::Widget);
    docks_->setDockNestingEnabled(true);
    auto* columns = makeRow(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(rail_);
    columns->addWidget(docks_, 1);
    for (Panel& panel : panels_) {
        addCommands(panel);
    }
}

void SidePanels::addCommands(Panel& panel) {
    const QString id = "panel." + panel.id;
    commands_.add({.id = id,
                   .menu = "View",
                   .text = panel.title,
                   .help = tr("Shows this panel beside the pages; hidden, it opens over them from the rail"),
                   .icon = "eye",
                   .run = [this, &panel] { setShown(panel, !panel.shown); },
                   .checked = [&panel] { return panel.shown; }});
    commands_.add({.id = id + "-float",
                   .menu = "View",
                   .text = tr("%1: window of its own").arg(panel.title),
                   .help = tr("Takes this panel out of the window, or puts it back"),
                   .icon = "float",
                   .run = [this, &panel] { setFloating(panel, !panel.dock->isFloating()); },
                   .checked = [&panel] { return panel.dock != nullptr && panel.dock->isFloating(); }});
    commands_.add({.id = id + "-side",
                   .menu = "View",
                   .text = tr("%1: other side").arg(panel.title),
                   .help = tr("Moves this panel to the other side of the pages, as dragging its title does"),
                   .run = [this, &panel] { changeSide(panel); }});
}

void SidePanels::build(StudyPanel& study, FiguresPanel& figures, PageStack& pages) {
    pages_ = &pages;
    pages.setObjectName("panel.pages");
    auto* scroll = new QScrollArea;
    scroll->setWidget(&pages);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);  // it follows the focus of what is in it
    scroll->setMinimumSize(200, 120);
    docks_->setCentralWidget(scroll);
    dockPanel(panels_[0], study);
    panels_[0].area->setObjectName("panel.left");
    panels_[0].area->setAccessibleName(tr("Study, kernel, settings and runs"));
    dockPanel(panels_[1], figures);
    panels_[1].area->setObjectName("panel.right");
    panels_[1].area->setAccessibleName(tr("Curves, ROIs and stages"));
    buildRail(study);
}

void SidePanels::dockPanel(Panel& panel, QWidget& content) {
    panel.dock = new QDockWidget(panel.title, docks_);
    panel.dock->setObjectName("dock." + panel.id);
    panel.dock->setAccessibleName(panel.title);
    auto* title = new QWidget;
    title->setFixedHeight(kTitleHeight);
    auto* row = makeRow(title);
    row->setContentsMargins(12, 0, 4, 0);
    row->setSpacing(2);
    auto* name = new ElidedLabel(ElidedLabel::Role::Caption);
    name->setText(panel.title);
    row->addWidget(name, 1);
    for (const char* what : {"-float", ""}) {
        row->addWidget(makeButton(commands_.action("panel." + panel.id + what), ButtonKind::Square, title));
    }
    panel.dock->setTitleBarWidget(title);
    panel.area = panelArea(content, panel.width);
    panel.dock->setWidget(panel.area);
    panel.dock->installEventFilter(this);
    docks_->addDockWidget(panel.atTheLeft ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea, panel.dock);
    connect(panel.dock, &QDockWidget::topLevelChanged, this, [this] {
        refresh();
        commands_.refresh();
    });
}

QWidget* SidePanels::left() const {
    return panels_[0].area;
}

QWidget* SidePanels::right() const {
    return panels_[1].area;
}

QToolButton* SidePanels::addToRail(const QString& icon, const QString& name) {
    auto* button = new QToolButton;
    button->setObjectName("rail." + icon);
    button->setProperty("icon-name", icon);
    button->setAccessibleName(name);
    button->setToolTip(tr("%1: opens over the pictures").arg(name));
    button->setFixedSize(32, 32);
    button->setIconSize({16, 16});
    button->setIcon(themedIcon(icon, Theme::of(*this)));
    rail_->layout()->addWidget(button);
    return button;
}

void SidePanels::buildRail(StudyPanel& study) {
    rail_->setObjectName("rail");
    rail_->setFixedWidth(kRailWidth);
    auto* column = makeColumn(rail_, {8, 8, 8, 8});
    column->setSpacing(8);
    const std::pair<const char*, QString> entries[] = {{"study", tr("Study")},
                                                       {"kernel", tr("Kernel")},
                                                       {"settings", tr("Reconstruct")},
                                                       {"list", tr("Runs")}};
    std::size_t index = 0;
    for (const auto& [icon, name] : entries) {
        studyButtons_.push_back(addToRail(icon, name));
        connect(studyButtons_.back(), &QToolButton::clicked, this, [this, &study, index] {
            QScrollArea* const area = panels_[0].area;
            const bool open = area->isVisible();
            setOver(panels_[0], !open);
            if (!open) {
                area->verticalScrollBar()->setValue(study.sections()[index]->y());
            }
        });
        ++index;
    }
    column->addStretch();
    figuresButton_ = addToRail("data", tr("Curves, ROIs and stages"));
    connect(figuresButton_, &QToolButton::clicked, this,
            [this] { setOver(panels_[1], !panels_[1].area->isVisible()); });
    rail_->hide();
}

void SidePanels::refreshIcons() {
    for (QToolButton* button : rail_->findChildren<QToolButton*>()) {
        button->setIcon(themedIcon(button->property("icon-name").toString(), Theme::of(*this)));
    }
}

void SidePanels::setOver(const Panel& panel, bool visible) {
    const int x = panel.atTheLeft ? kRailWidth : width() - panel.width;
    panel.area->setGeometry(x, 0, panel.width, height());
    panel.area->setVisible(visible);
    panel.area->raise();
}

void SidePanels::setShown(Panel& panel, bool shown) {
    panel.shown = shown;
    if (!shown) {
        panel.dock->setFloating(false);
    }
    refresh();
    commands_.refresh();
}

void SidePanels::setFloating(Panel& panel, bool floating) {
    panel.shown = true;
    panel.dock->setFloating(floating);
    refresh();
    commands_.refresh();
}

void SidePanels::changeSide(Panel& panel) {
    const bool isLeft = docks_->dockWidgetArea(panel.dock) == Qt::LeftDockWidgetArea;
    docks_->addDockWidget(isLeft ? Qt::RightDockWidgetArea : Qt::LeftDockWidgetArea, panel.dock);
    setFloating(panel, false);
    shareWidth();
}

void SidePanels::shareWidth() {
    const bool wide = windowWidth_ >= kWideWindow;
    QList<QDockWidget*> docks;
    QList<int> widths;
    for (const Panel& panel : panels_) {
        docks << panel.dock;
        widths << (wide ? panel.wideWidth : panel.width);
    }
    docks_->resizeDocks(docks, widths, Qt::Horizontal);
}

void SidePanels::fit(int windowWidth) {
    const int before = std::exchange(windowWidth_, windowWidth);
    refresh();
    if (before == 0 || (before < kWideWindow) != (windowWidth < kWideWindow)) {
        shareWidth();
    }
}

void SidePanels::refresh() {
    const bool alone = pages_->inFront().standsAlone();
    for (Panel& panel : panels_) {
        const bool narrow = windowWidth_ < panel.leastWindow;
        const bool over = !panel.dock->isFloating() && (narrow || !panel.shown);
        if (std::exchange(panel.over, over) != over) {
            if (over) {
                panel.area->setParent(this);
            } else {
                panel.dock->setWidget(panel.area);
            }
            panel.area->setVisible(!over);
        }
        panel.dock->setVisible(!over && !alone);
        if (over && alone) {
            panel.area->hide();
        }
    }
    for (QToolButton* button : studyButtons_) {
        button->setVisible(panels_[0].over);
    }
    figuresButton_->setVisible(panels_[1].over);
    rail_->setVisible(!alone && (panels_[0].over || panels_[1].over));
}

void SidePanels::pressed(const QWidget& widget) {
    for (const Panel& panel : panels_) {
        const bool open = panel.over && panel.area->isVisible();
        if (open && &widget != panel.area && !panel.area->isAncestorOf(&widget) &&
            !rail_->isAncestorOf(&widget) && widget.window() == window()) {
            setOver(panel, false);
        }
    }
}

/// A panel's own window that is closed hides the panel.
bool SidePanels::eventFilter(QObject* watched, QEvent* event) {
    for (Panel& panel : panels_) {
        if (watched == panel.dock && event->type() == QEvent::Close) {
            event->ignore();
            setShown(panel, false);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void SidePanels::resizeEvent(QResizeEvent* /*event*/) {
    for (const Panel& panel : panels_) {
        if (panel.over && panel.area->isVisible()) {
            setOver(panel, true);
        }
    }
}

nlohmann::json SidePanels::toJson() const {
    nlohmann::json saved{{"places", QString(docks_->saveState().toBase64()).toStdString()}};
    for (const Panel& panel : panels_) {
        saved["hidden"][panel.id.toStdString()] = !panel.shown;
    }
    return saved;
}

void SidePanels::fromJson(const nlohmann::json& saved) {
    // Text that is none of its own changes nothing.
    docks_->restoreState(QByteArray::fromBase64(savedIn<QString>(saved, "places").toLatin1()));
    const auto hidden = savedIn<std::map<std::string, bool>>(saved, "hidden");
    for (Panel& panel : panels_) {
        const auto known = hidden.find(panel.id.toStdString());
        panel.shown = known != hidden.end() ? !known->second : panel.shown;
    }
    refresh();
    commands_.refresh();
}

}  // namespace tof::ui
