// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/interrupt.h"
#include "app/cli/roi_files.h"
#include "app/cli/text_table.h"
#include "app/cli/volume_options.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/kinetics/kinetic_model.h"
#include "recon/work/kinetic_rows.h"
#include "recon/work/kinetics.h"

namespace tof {

namespace {

class KineticsCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("IMAGE", image_,
                             "Dynamic image: HDF5, NIfTI with a sidecar of BIDS, or a folder of DICOM");
        arguments.text("out", output_, "Folder for the images of parameters and kinetics.json",
                       Need::Required);
        arguments.rows(boundRows(kineticRows(), request_));
        arguments.text("rois", rois_,
                       "ROIs that --reference or --input-roi names: a JSON file or a label map");
        arguments.choice("format", extension_, {"nii.gz", "nii", "h5"}, "Format of the images");
        arguments.text("series", volume_.series, "Series of a DICOM folder: its number, description or UID");
        arguments.text("units", volume_.units,
                       "Units of the image's values where the file does not say them");
        arguments.integer("threads", threads_, 0, 1024, "Threads; 0 takes every core");
    }

    void run(CommandContext& context) override {
        volume_.choiceBy = ChoiceBy::Options;
        const std::vector<Roi> rois = rois_.empty() ? std::vector<Roi>() : readRoiSet(rois_).rois;
        ConsoleProgress progress(context.console);
        progress.stage("reading " + image_);
        const DynamicReadResult read = recognise(image_, throwIfInterrupted).readDynamicImage(volume_);
        if (!read.note.empty()) {
            progress.note(Remark::Data, read.note);
        }
        const KineticsResult result =
            fitKinetics(read.image, image_, request_, rois, progress.pool(threads_), progress);
        progress.stage("writing " + output_);
        const std::vector<std::string> files =
            writeKinetics({output_, [&] { progress.heed(); }}, "." + extension_, result, request_, image_);
        progress.done();
        tell(context.console, result, files);
    }

  private:
    void tell(Console& console, const KineticsResult& result, const std::vector<std::string>& files) const {
        const std::vector<ParameterImage>& about = kineticModel(request_.model).images;
        std::vector<std::vector<std::string>> rows{{"image", "units", "mean", "file"}};
        nlohmann::ordered_json form{{"output", output_},
                                    {"fitted", result.made.fitted},
                                    {"below_threshold", result.made.quiet},
                                    {"no_fit", result.made.failed},
                                    {"notes", result.notes}};
        for (std::size_t i = 0; i < about.size(); ++i) {
            double sum = 0;
            for (const float value : result.made.images[i].data) {
                sum += static_cast<double>(value);
            }
            const double mean = sum / static_cast<double>(result.made.fitted);
            rows.push_back({about[i].name, about[i].units, fmt::format("{:.5g}", mean), files[i]});
            form["images"].push_back(
                {{"name", about[i].name}, {"units", about[i].units}, {"mean", mean}, {"file", files[i]}});
        }
        if (console.json()) {
            console.resultAsJson(form);
            return;
        }
        console.result(textTable(rows));
        console.note(
            fmt::format("{}: {} voxels fitted, {} without activity or below the threshold, {} without a fit",
                        output_, result.made.fitted, result.made.quiet, result.made.failed));
    }

    KineticsRequest request_;
    VolumeReadOptions volume_;
    std::string image_;
    std::string output_;
    std::string rois_;
    std::string extension_ = "nii.gz";
    int threads_ = 0;
};

}  // namespace

std::unique_ptr<Command> makeKineticsCommand() {
    return std::make_unique<KineticsCommand>();
}

}  // namespace tof
