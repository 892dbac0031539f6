// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/desk/desk.h"

namespace tof::ui {

/// Strip of 28 px above a picture: plane, position, run.
class PaneHeader : public QWidget {
    Q_OBJECT

  public:
    PaneHeader(Plane plane, Desk& desk, QWidget* parent = nullptr);
    [[nodiscard]] QString position() const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Plane plane_;
    Desk& desk_;
};

}  // namespace tof::ui
