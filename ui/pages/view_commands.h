// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include "ui/kit/theme.h"
#include "ui/pages/workbench.h"
#include "ui/pictures/cine.h"

namespace tof::ui {

/// What the pictures of every page show: the menu View, and the charts below the viewer's pictures.
class ViewCommands : public QObject, private Workbench {
    Q_OBJECT

  public:
    explicit ViewCommands(const Workbench& bench);
    [[nodiscard]] Cine& cine() { return cine_; }

  Q_SIGNALS:
    void themeRequested(ThemeKind kind);

  private:
    void addLayouts();
    void addPlanes();
    void addFlags();
    void addRanges();
    void addSlabs();
    void addTurns();
    [[nodiscard]] Command slabCommand(const char* id, const QString& text, const QString& help,
                                      viz::SlabMode mode);
    void addCharts();
    void addTime();
    void addCine();
    void giveUp();
    void askForPlace();
    void toggleLine();
    void stepImage(int step);

    Cine cine_;
    QStringList places_;  ///< places of profiles, as they were asked for, the last one first
};

}  // namespace tof::ui
