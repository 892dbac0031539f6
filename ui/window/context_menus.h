// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <initializer_list>

#include "ui/desk/desk.h"
#include "ui/kit/commands.h"

class QMenu;
class QPoint;

namespace tof::ui {

/// What the right button offers on a picture, an ROI and a run.
class ContextMenus : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `window` owns it and the menus.
    ContextMenus(CommandRegistry& commands, Desk& desk, QWidget& window)
        : QObject(&window), commands_(commands), desk_(desk), window_(window) {}
    /// Of an ROI; `value` is what can be copied of it.
    void showRoi(int roi, const QPoint& at, const QString& value = {});
    /// Of a picture, or of the ROI that was hit in it.
    void showPicture(int roi, const QPoint& at);
    void showRun(int runId, const QPoint& at);

  private:
    void fillMenu(QMenu& menu, std::initializer_list<const char*> ids);
    QMenu* newContextMenu(const char* name);

    CommandRegistry& commands_;
    Desk& desk_;
    QWidget& window_;
};

}  // namespace tof::ui
