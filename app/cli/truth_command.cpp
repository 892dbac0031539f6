// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/output_check.h"
#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format_table.h"
#include "recon/work/phantom_truth.h"
#include "recon/work/read_measurement.h"

namespace tof {

namespace {

/// What a simulated phantom held in each frame: images, and curves of its shapes.
class TruthCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("DATA", data_,
                             "Data of a simulated phantom with a course in time, binned with --frames");
        arguments.text("out", image_,
                       "Dynamic image to write, as 'reconstruct --dynamic' does (.nii.gz, .h5)");
        arguments.text("curves", curves_, "Table of the shapes' curves to write (.tsv)");
    }

    void run(CommandContext& context) override {
        if (image_.empty() && curves_.empty()) {
            throw WrongUse("give --out, --curves, or both");
        }
        for (const std::string& output : {image_, curves_}) {
            if (!output.empty()) {
                refuseSameFile(data_, output);
                requireWritable(output);
            }
        }
        const PhantomTruth truth = truthOf(*readMeasurement(data_), data_);
        if (!image_.empty()) {
            const std::string note = writeDynamicImage(image_, truth.image);
            if (!note.empty()) {
                context.console.note(note);
            }
        }
        if (!curves_.empty()) {
            writeTextAside(curves_, curvesTable(truth.image.info.frames, truth.curves));
        }
        const DynamicInfo& info = truth.image.info;
        if (context.console.json()) {
            context.console.resultAsJson(
                {{"frames", info.frames.size()}, {"shapes", truth.curves.size()}, {"units", info.units}});
        } else {
            context.console.note(fmt::format("{}: {} frames, {} shapes, values in {}", data_,
                                             info.frames.size(), truth.curves.size(), info.units));
        }
    }

  private:
    std::string data_;
    std::string image_;
    std::string curves_;
};

}  // namespace

std::unique_ptr<Command> makeTruthCommand() {
    return std::make_unique<TruthCommand>();
}

}  // namespace tof
