// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include "ui/desk/desk.h"
#include "ui/kit/commands.h"

namespace tof {
struct CalibrationRequest;
}  // namespace tof

namespace tof::ui {

/// Makes Bq/ml of the runs of the open data by regions of known activity in the image on screen, or by a
/// calibration that was made before.
class CalibrateCommands : public QObject {
    Q_OBJECT

  public:
    CalibrateCommands(CommandRegistry& commands, Desk& desk, QWidget& window);

  private:
    void ask();
    /// Throws BadInput, CannotWrite.
    void calibrate(const CalibrationRequest& asked);
    [[nodiscard]] QString whyNot();

    Desk& desk_;
    QWidget& window_;
};

}  // namespace tof::ui
