// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <initializer_list>

#include "ui/kit/commands.h"

class QMenu;
class QPoint;

namespace tof::ui {

class RoiModel;
class RunList;
class SettingsModel;
class ViewModel;

/// What the right button offers on a picture, an ROI and a run.
class ContextMenus : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `window` owns it and the menus.
    ContextMenus(CommandRegistry& commands, RunList& runs, ViewModel& view, RoiModel& rois,
                 SettingsModel& settings, QWidget& window)
        : QObject(&window),
          commands_(commands),
          runs_(runs),
          view_(view),
          rois_(rois),
          settings_(settings),
          window_(window) {}
    /// Shows the menu of an ROI; `value` is what can be copied of it.
    void showRoi(int roi, const QPoint& at, const QString& value = {});
    /// Shows the menu of a picture, or of the ROI that was hit in it.
    void showPicture(int roi, const QPoint& at);
    void showRun(int runId, const QPoint& at);

  private:
    void fillMenu(QMenu& menu, std::initializer_list<const char*> ids);
    QMenu* newContextMenu(const char* name);

    CommandRegistry& commands_;
    RunList& runs_;
    ViewModel& view_;
    RoiModel& rois_;
    SettingsModel& settings_;
    QWidget& window_;
};

}  // namespace tof::ui
