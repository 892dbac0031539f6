// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QClipboard>
#include <QMenu>

#include "ui/rois/roi_table.h"
#include "ui/window/main_window.h"

namespace tof::ui {

void MainWindow::fillMenu(QMenu& menu, std::initializer_list<const char*> ids) {
    for (const char* id : ids) {
        if (*id == '\0') {
            menu.addSeparator();
        } else {
            menu.addAction(commands_->action(id));
        }
    }
}

QMenu* MainWindow::newContextMenu(const char* name) {
    auto* menu = new QMenu(this);
    menu->setObjectName(name);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    return menu;
}

void MainWindow::showRoiMenu(int roi, const QPoint& at, const QString& value) {
    if (workspace_.roiModel().at(roi) == nullptr) {
        return;
    }
    workspace_.view().selectRoi(roi);
    refresh();
    QMenu* menu = newContextMenu("menu.roi");
    menu->addSection(QString::fromStdString(workspace_.roiModel().at(roi)->name));
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

void MainWindow::showPictureMenu(int roi, const QPoint& at) {
    if (roi >= 0) {
        showRoiMenu(roi, at);
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

QString MainWindow::submenuOf(const QString& id) {
    const std::pair<const char*, QString> groups[] = {
        {"layout.", tr("Layout")},         {"plane.", tr("Plane and slice")},
        {"slice.", tr("Plane and slice")}, {"compare.", tr("Comparison")},
        {"data.", tr("Data by view")},     {"roi.nudge", tr("Move")},
        {"roi.role-", tr("Role")},         {"cine.", tr("Cine")}};
    for (const auto& [prefix, title] : groups) {
        if (id.startsWith(prefix)) {
            return title;
        }
    }
    for (const char* shape :
         {"circle", "ellipse", "annulus", "polygon", "sphere", "cylinder", "box", "finish", "step-back"}) {
        if (id == QString("roi.") + shape) {
            return tr("Draw");
        }
    }
    for (const char* flag :
         {"annotations", "crosshair", "colour-bar", "letters", "voxel-info", "rois", "interpolation"}) {
        if (id == QString("view.") + flag) {
            return tr("Show");
        }
    }
    for (const char* form : {"invariant", "variant", "measured", "symmetric", "asymmetric"}) {
        if (id == QString("lab.") + form) {
            return tr("Form");
        }
    }
    for (const char* preset : {"load", "save-preset", "delete-preset", "export"}) {
        if (id == QString("lab.") + preset) {
            return tr("Presets and files");
        }
    }
    for (const char* picture : {"mip", "reset-view", "presets", "slice", "surface", "ids", "auto-limit"}) {
        if (id == QString("lab.") + picture) {
            return tr("Pictures");
        }
    }
    return {};
}

}  // namespace tof::ui
