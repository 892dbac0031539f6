// SPDX-License-Identifier: Apache-2.0
#include "ui/window/context_menus.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/settings_model.h"
#include "ui/desk/view_model.h"

namespace tof::ui {

void ContextMenus::fillMenu(QMenu& menu, std::initializer_list<const char*> ids) {
    for (const char* id : ids) {
        if (*id == '\0') {
            menu.addSeparator();
        } else {
            menu.addAction(commands_.action(id));
        }
    }
}

QMenu* ContextMenus::newContextMenu(const char* name) {
    auto* menu = new QMenu(&window_);
    menu->setObjectName(name);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    return menu;
}

void ContextMenus::showRoi(int roi, const QPoint& at, const QString& value) {
    if (rois_.at(roi) == nullptr) {
        return;
    }
    view_.selectRoi(roi);
    commands_.refresh();
    QMenu* menu = newContextMenu("menu.roi");
    menu->addSection(QString::fromStdString(rois_.at(roi)->name));
    QMenu* role = menu->addMenu(tr("Role"));
    fillMenu(*role, {"roi.role-sphere", "roi.role-background", "roi.role-uniform", "roi.role-none"});
    fillMenu(*menu, {"roi.numbers", "roi.lock", "roi.delete-vertex", "", "edit.duplicate", "roi.ring",
                     "edit.copy", "edit.paste", "export.rois"});
    if (!value.isEmpty()) {
        menu->addAction(tr("Copy %1").arg(value), this,
                        [value] { QApplication::clipboard()->setText(value); });
    }
    fillMenu(*menu, {"", "edit.undo", "edit.delete"});
    menu->popup(at);
}

void ContextMenus::showPicture(int roi, const QPoint& at) {
    if (roi >= 0) {
        showRoi(roi, at);
        return;
    }
    QMenu* menu = newContextMenu("menu.picture");
    fillMenu(*menu, {"view.auto", "view.invert", "view.reset", "view.lattice", ""});
    QMenu* show = menu->addMenu(tr("Show"));
    fillMenu(*show, {"view.crosshair", "view.colour-bar", "view.letters", "view.rois", "view.interpolation",
                     "view.mip"});
    QMenu* draw = menu->addMenu(tr("Draw ROI"));
    fillMenu(*draw, {"roi.circle", "roi.ellipse", "roi.annulus", "roi.polygon", "roi.sphere", "roi.cylinder",
                     "roi.box"});
    fillMenu(*menu, {"roi.threshold", "edit.paste", "", "export.picture", "export.picture-file"});
    menu->popup(at);
}

void ContextMenus::showRun(int runId, const QPoint& at) {
    runs_.select(runId);
    runs_.flush();
    QMenu menu(&window_);
    for (const char* id : {"run.start-queue", "run.earlier", "run.later", "run.continue", "run.duplicate",
                           "run.rename", "layer.pin", "file.save-image", "run.remove"}) {
        menu.addAction(commands_.action(id));
    }
    RunItem* item = runs_.find(runId);
    if (item != nullptr && !item->isVolume()) {
        menu.addAction(tr("Use its settings for the next run"), this,
                       [this, settings = item->settings()] { settings_.setAll(settings); });
    }
    menu.exec(at);
}

}  // namespace tof::ui
