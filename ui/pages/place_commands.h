// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pages/workbench.h"

namespace tof::ui {

/// Images that lie elsewhere than they should: registered, reoriented, straightened. Each makes another
/// image.
class PlaceCommands : public QObject, private Workbench {
    Q_OBJECT

  public:
    explicit PlaceCommands(const Workbench& bench);

  private:
    void openRegister();
    void askAndReorient();
    void straighten();
    void turnAsThePlanes();
};

}  // namespace tof::ui
