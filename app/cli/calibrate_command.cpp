// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_check.h"
#include "app/cli/roi_files.h"
#include "recon/work/calibration.h"
#include "recon/work/calibration_rows.h"

namespace tof {

namespace {

class CalibrateCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("RUN", run_, "Run of a phantom of known activity");
        arguments.positional("OUT", output_, "Calibration to write (.json), for 'convert --calibration'");
        arguments.rows(boundRows(calibrationRows(), asked_));
    }

    void run(CommandContext& context) override {
        refuseSameFile(run_, output_);
        requireWritable(output_);
        const Calibration made = calibrationOf(run_, asked_.iteration, readRoiSet(asked_.rois).rois,
                                               asked_.activity_Bq_ml, throwIfInterrupted);
        writeCalibration(output_, made);
        if (context.console.json()) {
            context.console.resultAsJson(
                {{"output", output_}, {"bq_per_ml_per_unit_s", made.factor}, {"made", made.made}});
        } else {
            context.console.note(made.made);
        }
    }

  private:
    std::string run_;
    std::string output_;
    CalibrationRequest asked_;
};

}  // namespace

std::unique_ptr<Command> makeCalibrateCommand() {
    return std::make_unique<CalibrateCommand>();
}

}  // namespace tof
