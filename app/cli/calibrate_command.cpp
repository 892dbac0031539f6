// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/output_check.h"
#include "app/cli/roi_files.h"
#include "recon/work/calibration.h"

namespace tof {

namespace {

class CalibrateCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("RUN", run_, "Run of a phantom of known activity");
        arguments.positional("OUT", output_, "Calibration to write (.json), for 'convert --calibration'");
        constexpr double kLeast = 1e-3;
        constexpr double kMost = 1e12;
        arguments.number("activity", activity_, kLeast, kMost,
                         "Activity of the regions, Bq/ml, the mean of the scan", Need::Required);
        arguments.text("rois", rois_, "Regions within the phantom: a JSON file of ROIs or a label map",
                       Need::Required);
        arguments.integer("iteration", iteration_, 0, 100000, "Iterate of the run; 0 takes the last");
    }

    void run(CommandContext& context) override {
        refuseSameFile(run_, output_);
        requireWritable(output_);
        const Calibration made = calibrationOf(run_, iteration_, readRoiSet(rois_).rois, activity_);
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
    std::string rois_;
    double activity_ = 0;
    int iteration_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeCalibrateCommand() {
    return std::make_unique<CalibrateCommand>();
}

}  // namespace tof
