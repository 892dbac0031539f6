// SPDX-License-Identifier: Apache-2.0
#include "ui/window/calibrate_commands.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QVBoxLayout>

#include "recon/base/error.h"
#include "recon/work/calibration_rows.h"
#include "ui/kit/request_form.h"

namespace tof::ui {

CalibrateCommands::CalibrateCommands(CommandRegistry& commands, Desk& desk, QWidget& window)
    : QObject(&window), desk_(desk), window_(window) {
    commands.add(
        "Tools",
        {{.id = "image.calibrate",
          .text = tr("Calibrate..."),
          .help = tr("Makes Bq/ml of the runs by the ROIs in a phantom of known activity, or by a "
                     "calibration that was made before"),
          .run = [this] { ask(); },
          .whyNot = [this] { return whyNot(); }},
         {.id = "image.calibrated",
          .text = tr("Values in Bq/ml by calibration"),
          .help = tr("Activity by the calibration, or by the factor that the file of data or image states"),
          .run =
              [this] {
                  Calibrations::State state = desk_.calibrations().state();
                  state.shown = !state.shown;
                  desk_.calibrations().set(state);
              },
          .whyNot =
              [this] {
                  const RunItem* item = desk_.runs().onScreen();
                  return item == nullptr ? tr("There is no image yet")
                         : item->statedFactor() != 1
                             ? QString()
                             : desk_.calibrations().whyNot(*item, desk_.study().measurement().get());
              },
          .checked = [this] { return desk_.calibrations().state().shown; }}});
    connect(&desk.calibrations(), &Calibrations::changed, &commands, &CommandRegistry::refresh);
}

QString CalibrateCommands::whyNot() {
    const RunItem* item = desk_.runs().onScreen();
    const auto data = desk_.study().measurement();
    return item == nullptr || item->volume() == nullptr          ? tr("There is no image yet")
           : data == nullptr || item->dataHash() != data->hash() ? tr("The data of this image are not open")
           : !(data->duration_s() > 0) ? tr("The data do not say how long was measured")
                                       : QString();
}

void CalibrateCommands::calibrate(const CalibrationRequest& asked) {
    const RunItem& item = *desk_.runs().onScreen();
    const Measurement& data = *desk_.study().measurement();
    Calibration made;
    if (asked.from.empty()) {
        CalibrationScan scan{*item.volume(), data.duration_s(), desk_.calibrations().scannerOf(data)};
        scan.image.units = item.units().toStdString();
        made = calibrationOf(scan, (item.label() + " " + item.name()).toStdString(), desk_.rois().rois(),
                             asked.activity_Bq_ml);
    } else {
        made = readCalibration(asked.from);
        const std::string why = whyNotCalibrated(made, item.units().toStdString(), item.lattice(),
                                                 desk_.calibrations().scannerOf(data), asked.from);
        if (!why.empty()) {
            throw BadInput("{}: {}", item.label().toStdString(), why);
        }
    }
    if (!asked.out.empty()) {
        writeCalibration(asked.out, made);
    }
    desk_.messages().add(Severity::Note, QString::fromStdString(made.made));
    desk_.calibrations().set({std::make_shared<const Calibration>(std::move(made)), true});
}

void CalibrateCommands::ask() {
    const int id = desk_.runs().onScreen()->id();
    CalibrationRequest asked;
    QDialog dialog(&window_);
    dialog.setObjectName("calibrate.dialog");
    dialog.setWindowTitle(tr("Calibrate"));
    auto* form = new RequestForm("calibrate", boundRows(calibrationRows(), asked));
    QVBoxLayout* column = dialogColumn(dialog);
    column->addWidget(form);
    column->addWidget(makeAnswers(dialog, tr("Calibrate"), [form] { return form->check(); }));
    dialog.setMinimumWidth(460);
    const RunItem* item = dialog.exec() == QDialog::Accepted ? desk_.runs().onScreen() : nullptr;
    if (item != nullptr && item->id() == id) {
        desk_.messages().guard(tr("Calibrating"), [&] { calibrate(asked); });
    }
}

}  // namespace tof::ui
