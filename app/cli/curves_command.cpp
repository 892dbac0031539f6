// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_check.h"
#include "app/cli/roi_files.h"
#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format_table.h"
#include "recon/kinetics/parametric_images.h"
#include "recon/kinetics/partial_volume.h"
#include "recon/work/kinetic_rows.h"
#include "recon/work/kinetics.h"

namespace tof {

namespace {

/// Curves of activity against time, a row a frame.
class CurvesCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("IMAGE", image_,
                             "Dynamic image: HDF5, NIfTI with a sidecar of BIDS, or a folder of DICOM");
        arguments.text("rois", rois_, "Regions: a JSON file of ROIs or a label map", Need::Required);
        arguments.text("out", output_, "Table to write (.tsv); without it the table is printed");
        arguments.rows(boundRows(decayRows(), decay_));
        arguments.choice("values", values_, {"corrected", "stored"},
                         "Decay-corrected to time zero, or as they are in the file");
        arguments.choice(
            "partial-volume", partial_, {"off", "gtm"},
            "Takes out what is seen of regions in one another: gtm is the geometric transfer matrix, "
            "for regions that lie beside each other and are uniform; give --width or --spread");
        arguments.number("width", width_mm_, 0, 1000,
                         "FWHM in mm of the Gaussian that the image is seen with, for --partial-volume");
        arguments.text(
            "spread", spread_,
            "In place of --width: a dynamic image with a frame for each region in their order, what the "
            "same reconstruction makes of 1 in that region alone");
        arguments.text("series", volume_.series, "Series of a DICOM folder: its number, description or UID");
    }

    void run(CommandContext& context) override {
        requirePartialVolume();
        if (!output_.empty()) {
            refuseSameFile(image_, output_);
            requireWritable(output_);
        }
        volume_.choiceBy = ChoiceBy::Options;
        const DynamicReadResult read = recognise(image_, throwIfInterrupted).readDynamicImage(volume_);
        if (!read.note.empty()) {
            context.console.note(read.note);
        }
        const DynamicImage& image = read.image;
        const std::vector<double> factors = values_ == "stored"
                                                ? std::vector<double>(image.frames.size(), 1.0)
                                                : decayFactors(image, decay_, image_);
        ConsoleProgress progress(context.console);
        const std::vector<RegionCurve> curves =
            curvesOf(image, readRoiSet(rois_).rois, factors, progress.pool(0));
        const std::string table = curvesTable(image.frames, curves);
        if (!output_.empty()) {
            writeTextAside(output_, table);
        }
        if (context.console.json()) {
            context.console.resultAsJson(asJson(image, curves));
        } else if (output_.empty()) {
            context.console.result(table.substr(0, table.size() - 1));
        } else {
            context.console.note(fmt::format("{}: {} regions, {} frames, values in {}", output_,
                                             curves.size(), image.frames.size(),
                                             image.units.empty() ? "-" : image.units));
        }
    }

  private:
    void requirePartialVolume() const {
        const bool says = width_mm_ > 0 || !spread_.empty();
        if (partial_ == "off" && says) {
            throw WrongUse("options --width and --spread are of --partial-volume gtm; give it, too");
        }
        if (partial_ != "off" && (width_mm_ > 0) == !spread_.empty()) {
            throw WrongUse("option --partial-volume needs either --width MM or --spread IMAGES");
        }
    }

    [[nodiscard]] std::vector<RegionCurve> curvesOf(const DynamicImage& image, const std::vector<Roi>& rois,
                                                    const std::vector<double>& factors,
                                                    const ThreadPool& pool) const {
        if (partial_ == "off") {
            return regionCurves(image, rois, factors);
        }
        const PartialVolume partial =
            spread_.empty()
                ? PartialVolume::ofWidth(image.lattice, rois, width_mm_, pool)
                : PartialVolume::ofImages(
                      rois, recognise(spread_, throwIfInterrupted).readDynamicImage().image, spread_);
        return partial.curves(
            image, [&](std::size_t frame) -> const std::vector<float>& { return image.values[frame]; },
            factors);
    }

    static nlohmann::ordered_json asJson(const DynamicImage& image, const std::vector<RegionCurve>& curves) {
        nlohmann::ordered_json form{{"units", image.units}};
        for (const TimeFrame& frame : image.frames) {
            form["frame_start_s"].push_back(frame.start_s);
            form["frame_duration_s"].push_back(frame.duration_s);
        }
        for (const RegionCurve& curve : curves) {
            form["regions"].push_back({{"name", curve.name},
                                       {"ml", curve.volume_mm3 / 1000},
                                       {"mean", curve.means},
                                       {"sd", curve.sds}});
        }
        return form;
    }

    DecayRequest decay_;
    VolumeReadOptions volume_;
    std::string image_;
    std::string rois_;
    std::string output_;
    std::string values_ = "corrected";
    std::string partial_ = "off";
    double width_mm_ = 0;
    std::string spread_;
};

}  // namespace

std::unique_ptr<Command> makeCurvesCommand() {
    return std::make_unique<CurvesCommand>();
}

}  // namespace tof
