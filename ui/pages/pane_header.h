// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/desk/workspace.h"

namespace tof::ui {

/// Strip of 28 px above a picture: plane, position, run.
class PaneHeader : public QWidget {
    Q_OBJECT

  public:
    PaneHeader(Plane plane, Workspace& workspace, QWidget* parent = nullptr);
    [[nodiscard]] QString position() const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Plane plane_;
    Workspace& workspace_;
};

}  // namespace tof::ui
