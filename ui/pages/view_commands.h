// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QStringList>

#include "ui/kit/page.h"
#include "ui/kit/theme.h"
#include "ui/pages/viewer.h"
#include "ui/pictures/cine.h"

namespace tof::ui {

class RoiModel;
class RunList;
class ViewModel;

/// What the pictures of every page show: the menu View, and the charts below the viewer's pictures.
class ViewCommands : public QObject {
    Q_OBJECT

  public:
    /// What is given outlives this; `window` owns it.
    ViewCommands(CommandRegistry& commands, RunList& runs, ViewModel& view, RoiModel& rois, PageStack& pages,
                 Viewer& viewer, QWidget& window);
    [[nodiscard]] Cine& cine() { return cine_; }

  Q_SIGNALS:
    void themeRequested(ThemeKind kind);

  private:
    void addLayouts(CommandRegistry& commands);
    void addPlanes(CommandRegistry& commands);
    void addFlags(CommandRegistry& commands);
    void addRanges(CommandRegistry& commands);
    void addSlabs(CommandRegistry& commands);
    void addCharts(CommandRegistry& commands);
    void addCine(CommandRegistry& commands);
    void giveUp();
    void askForPlace();
    void toggleLine();
    void stepImage(int step);

    RunList& runs_;
    ViewModel& view_;
    RoiModel& rois_;
    PageStack& pages_;
    Viewer& viewer_;
    QWidget& window_;
    Cine cine_;
    QStringList places_;  ///< places of profiles, as they were asked for, the last one first
};

}  // namespace tof::ui
