// SPDX-License-Identifier: Apache-2.0
#include "ui/window/menus.h"

#include <QFileInfo>
#include <QMenuBar>
#include <map>

#include "ui/kit/preferences.h"
#include "ui/kit/text.h"
#include "ui/pages/recent_files.h"

namespace tof::ui {

namespace {

/// Title of the submenu that a command goes into; empty: none.
QString submenuOf(const QString& id) {
    // "*" stands for any ending.
    const std::pair<QString, QString> groups[] = {
        {Text::tr("Layout"), "layout.* view.detach*"},
        {Text::tr("Page"), "page.slices page.compare page.data page.corrections"},
        {Text::tr("Panels"), "panel.*"},
        {Text::tr("Correction shown"), "corrections.att corrections.mult corrections.add"},
        {Text::tr("Queue"), "run.start-queue run.clear-queue run.earlier run.later"},
        {Text::tr("Go to"), "run.previous* run.next*"},
        {Text::tr("Table of runs"), "runs.* export.runs"},
        {Text::tr("Make a figure"), "figure.* export.figure"},
        {Text::tr("Values of the ROI"), "curve.roi-*"},
        {Text::tr("Plane and slice"), "plane.* slice.* view.turn view.straighten"},
        {Text::tr("Comparison"), "compare.*"},
        {Text::tr("Data by view"), "data.*"},
        {Text::tr("Range"), "range.*"},
        {Text::tr("Layers"), "layer.* image.*"},
        {Text::tr("Place of the image"), "place.*"},
        {Text::tr("Experiment"), "experiments.*"},
        {Text::tr("Annotations"), "annotate.*"},
        {Text::tr("Movie"), "movie.*"},
        {Text::tr("Time"), "time.*"},
        {Text::tr("Move"), "roi.nudge*"},
        {Text::tr("Role"), "roi.role-*"},
        {Text::tr("Cine"), "cine.*"},
        {Text::tr("Below the pictures"), "chart.*"},
        {Text::tr("Draw"),
         "roi.circle roi.ellipse roi.annulus roi.polygon roi.sphere roi.cylinder roi.box roi.finish "
         "roi.step-back roi.brush roi.brush-size"},
        {Text::tr("Contour in 3-D"), "roi.contour-*"},
        {Text::tr("Show"),
         "view.annotations view.crosshair view.colour-bar view.letters view.voxel-info view.rois "
         "view.interpolation view.lattice view.neurological "
         "view.slab-mean view.slab-sum view.cubic"},
        {Text::tr("Form"),
         "lab.invariant lab.variant lab.measured lab.symmetric lab.asymmetric lab.sampling-centre "
         "lab.sampling-voxel"},
        {Text::tr("Presets and files"), "lab.load lab.save-preset lab.delete-preset lab.export"},
        {Text::tr("Pictures"),
         "lab.mip lab.reset-view lab.presets lab.slice lab.surface lab.ids lab.auto-limit"}};
    for (const auto& [title, ids] : groups) {
        for (const QString& each : ids.split(' ')) {
            if (each.endsWith('*') ? id.startsWith(each.chopped(1)) : id == each) {
                return title;
            }
        }
    }
    return {};
}

}  // namespace

Menus::Menus(QMenuBar& bar, const CommandRegistry& commands, Preferences& preferences)
    : QObject(&bar), preferences_(preferences) {
    build(bar, commands);
}

void Menus::build(QMenuBar& bar, const CommandRegistry& commands) {
    std::map<QString, QMenu*> menus;
    bar.setMinimumHeight(32);
    recent_ = new QMenu(tr("Recent"), &bar);
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
        QAction* action = recent_->addAction(QFileInfo(path).fileName(), this,
                                             [this, path] { Q_EMIT openRequested(path); });
        action->setEnabled(QFileInfo::exists(path));
        action->setToolTip(path);
    }
    if (!files.isEmpty()) {
        recent_->addSeparator();
        recent_->addAction(tr("Clear list"), this, [this] {
            preferences_.clearRecent();
            RecentFiles(preferences_.recentFolder()).clear();
            refreshRecent();
            Q_EMIT recentCleared();
        });
    }
}

}  // namespace tof::ui
