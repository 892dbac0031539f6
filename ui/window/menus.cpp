// SPDX-License-Identifier: Apache-2.0
#include "ui/window/menus.h"

#include <QFileInfo>
#include <QMenuBar>
#include <map>

#include "ui/kit/preferences.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// Title of the submenu that a command goes into; empty: none.
QString submenuOf(const QString& id) {
    const std::pair<const char*, QString> groups[] = {
        {"layout.", Text::tr("Layout")},         {"plane.", Text::tr("Plane and slice")},
        {"slice.", Text::tr("Plane and slice")}, {"compare.", Text::tr("Comparison")},
        {"data.", Text::tr("Data by view")},     {"roi.nudge", Text::tr("Move")},
        {"roi.role-", Text::tr("Role")},         {"cine.", Text::tr("Cine")}};
    for (const auto& [prefix, title] : groups) {
        if (id.startsWith(prefix)) {
            return title;
        }
    }
    for (const char* shape :
         {"circle", "ellipse", "annulus", "polygon", "sphere", "cylinder", "box", "finish", "step-back"}) {
        if (id == QString("roi.") + shape) {
            return Text::tr("Draw");
        }
    }
    for (const char* flag :
         {"annotations", "crosshair", "colour-bar", "letters", "voxel-info", "rois", "interpolation"}) {
        if (id == QString("view.") + flag) {
            return Text::tr("Show");
        }
    }
    for (const char* form : {"invariant", "variant", "measured", "symmetric", "asymmetric"}) {
        if (id == QString("lab.") + form) {
            return Text::tr("Form");
        }
    }
    for (const char* preset : {"load", "save-preset", "delete-preset", "export"}) {
        if (id == QString("lab.") + preset) {
            return Text::tr("Presets and files");
        }
    }
    for (const char* picture : {"mip", "reset-view", "presets", "slice", "surface", "ids", "auto-limit"}) {
        if (id == QString("lab.") + picture) {
            return Text::tr("Pictures");
        }
    }
    return {};
}

}  // namespace

Menus::Menus(QMenuBar& bar, const CommandRegistry& commands, Desk& desk, Preferences& preferences)
    : QObject(&bar), desk_(desk), preferences_(preferences) {
    build(bar, commands);
}

void Menus::build(QMenuBar& bar, const CommandRegistry& commands) {
    std::map<QString, QMenu*> menus;
    bar.setMinimumHeight(32);
    for (const char* name : {"File", "Edit", "View", "Kernel", "Run", "ROIs", "Curves", "Tools", "Help"}) {
        menus[name] = bar.addMenu(word(name));
        menus[name]->setToolTipsVisible(true);
    }
    for (const auto& command : commands.all()) {
        QMenu* menu = menus[command->menu];
        if (command->separatorBefore) {
            menu->addSeparator();
        }
        if (command->id == "file.save-image") {
            recent_ = new QMenu(tr("Recent"), menu);
            menu->addMenu(recent_);
            menu->addSeparator();
        }
        QAction* action = commands.action(command->id);
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
    refreshRecent();
}

void Menus::refreshRecent() {
    recent_->clear();
    const QStringList files = preferences_.recent();
    recent_->setEnabled(!files.isEmpty());
    for (const QString& path : files) {
        QAction* action =
            recent_->addAction(QFileInfo(path).fileName(), this, [this, path] { desk_.open({path}); });
        action->setEnabled(QFileInfo::exists(path));
        action->setToolTip(path);
    }
    if (!files.isEmpty()) {
        recent_->addSeparator();
        recent_->addAction(tr("Clear list"), this, [this] {
            preferences_.clearRecent();
            refreshRecent();
            Q_EMIT recentCleared();
        });
    }
}

}  // namespace tof::ui
