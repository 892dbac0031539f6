// SPDX-License-Identifier: Apache-2.0
// info and convert: what files hold, and from one format to another.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/move_options.h"
#include "app/cli/output_check.h"
#include "app/cli/text_table.h"
#include "app/cli/uptake_options.h"
#include "app/cli/volume_options.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/binning/tof_check.h"
#include "recon/io/convert.h"
#include "recon/io/format/notes.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/io/nifti/bids_sidecar.h"
#include "recon/io/pet_export.h"
#include "recon/io/petsird/petsird_write.h"
#include "recon/metrics/gaussian_filter.h"
#include "recon/scanner/scanner.h"
#include "recon/work/bin_rows.h"
#include "recon/work/calibration.h"

namespace tof {

namespace {

class InfoCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("FILE", file_, "File or study folder");
        arguments.flag("check-tof", checkTof_,
                       "Say whether the times of flight of list-mode have the sign of t1 - t2");
        arguments.text("scanner", scanner_, "Geometry file for list-mode that only names its scanner");
    }
    void run(CommandContext& context) override {
        const RecognisedFile file = recognise(file_, throwIfInterrupted);
        std::string form = file.infoJson();
        if (checkTof_) {
            auto info = parseOrderedJson(form, file_);
            info["tof_check"] = tofCheck(file);
            form = jsonText(info, 2);
        }
        context.console.result(context.console.json() ? form : jsonAsLines(form));
    }

  private:
    [[nodiscard]] nlohmann::ordered_json tofCheck(const RecognisedFile& file) const {
        const auto vector = [](Vec3 v) { return nlohmann::ordered_json{v.x, v.y, v.z}; };
        TofCheck found;
        if (file.kind() == FileKind::Data) {
            const LineData lines = readLines(file);
            const LineEvents& events = *lines.events;
            double radius = lines.possible.radius_mm;
            if (lines.michelogram) {
                radius = 0.5 * lines.michelogram->scanner().radius_mm;
            }
            found = tof::checkTof(events.points, events.pairs, events.dt_ps, radius);
        } else {
            const EventList list = file.readEvents({false, scanner_}).events;
            if (list.scannerJson.empty()) {
                throw BadInput(file_ + ": names no scanner; bin it --to lors and check that file");
            }
            const std::shared_ptr<const Scanner> known = list.scannerJson.scanner(file_);
            const Scanner& scanner = *known;
            found = tof::checkTof(referencePoints(scanner), list.crystals, list.dt_ps, scanner.fovRadius_mm);
        }
        constexpr std::array kSigns{"as stated", "reversed", "undecided"};
        return {{"sign", kSigns.at(static_cast<std::size_t>(found.sign))},
                {"standard_errors", found.significance},
                {"events", found.events},
                {"inside", found.inside},
                {"inside_reversed", found.insideReversed},
                {"sharpness", found.sharpness},
                {"sharpness_reversed", found.sharpnessReversed},
                {"centre_mm", vector(found.centre)},
                {"point_mm", vector(found.point)}};
    }
    [[nodiscard]] LineData readLines(const RecognisedFile& file) const {
        if (!file.isOwn() || file.form() != "lors") {
            throw WrongUse(file_ + ": holds no list-mode, so there are no times of flight to check");
        }
        return std::get<LineData>(file.readData().data);
    }

    std::string file_;
    std::string scanner_;
    bool checkTof_ = false;
};

class ConvertCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional(
            "IN", input_,
            "Volume (HDF5, NIfTI, MetaImage, Interfile, DICOM file or folder), run, list-mode "
            "of any kind that 'bin' takes, sinograms (HDF5, Interfile) or lines of response "
            "(HDF5, CASToR histogram)");
        arguments.positional("OUT", output_,
                             "Volume: .h5, .nii, .nii.gz, .hv or .dicom (a folder with a PET series); "
                             "list-mode: .h5, .cdh or .petsird; lines: .h5 or .cdh; sinograms: .h5, "
                             ".hs or .cdh");
        arguments.integer("iteration", options_.iteration, 0, 100000, "Iterate of a run; 0 takes the last");
        arguments.text("scanner", options_.scannerFile,
                       "Geometry file for list-mode that only names its scanner");
        arguments.text("model", model_,
                       "File of PETSIRD whose records list-mode is written in, so that tools of its version "
                       "read it");
        arguments.text(
            "calibration", calibration_,
            "Runs in Bq/ml, by what 'calibrate' has written or by a header of CASToR that states a factor; "
            "without it by the factor that a histogram of CASToR stated, else as they are. 'none': without "
            "a factor that the data's file, or the image (ECAT 7, Interfile, Philips), states");
        describeVolumeOptions(arguments, options_.volume);
        arguments.flag("suv", options_.volume.suv,
                       "DICOM PET as standardised uptake values, by what it says of dose and patient");
        describeSuvBody(arguments, options_.volume);
        uptake_.describe(arguments);
        arguments.number("filter-mm", options_.filter_mm, 0, 100,
                         "Post filter of volumes and runs: Gaussian, FWHM in mm; 0 leaves them as they are");
        move_.describe(arguments);
        arguments.rows(boundRows(sinogramRows(), options_.sinograms));
        arguments.text("corrections", options_.sinograms.corrections,
                       "Data file (.h5) of the same bins whose mult and add sinograms of STIR take");
        arguments.rows(boundRows(sinogramImageRows(), options_.sinograms));
        arguments.flag("partial", options_.partial, "Read truncated list-mode as far as it goes");
    }

    void run(CommandContext& context) override {
        refuseSameFile(input_, output_);
        requireWritable(output_);
        options_.uptake = uptake_.uptake(options_.volume.suvBody);
        options_.move = move_.move();
        options_.heed = throwIfInterrupted;
        requireDoseKept();
        const bool asStored = calibration_ == "none";
        const std::optional<Calibration> stated = statedCalibration(input_);
        options_.volume.factor = asStored && !stated ? StatedFactor::Left : StatedFactor::Applied;
        const std::string remark =
            !calibration_.empty() && !asStored ? inBecquerels(readCalibration(calibration_), calibration_)
            : !model_.empty()                  ? asInModel()
            : stated && !asStored && options_.volume.frame == 0
                ? inBecquerels(*stated, "its data; '--calibration none' leaves that out")
                : convertFile(input_, output_, options_);
        if (context.console.json()) {
            context.console.resultAsJson({{"output", output_}, {"note", remark}});
        } else {
            context.console.note(remark.empty() ? output_ + ": written" : remark);
        }
    }

  private:
    void requireDoseKept() const {
        if (options_.uptake && options_.volume.suv) {
            throw WrongUse("--suv makes SUV, and a dose is written beside Bq/ml; leave one of them out");
        }
        if (options_.uptake && !keepsDose(output_)) {
            throw WrongUse("'{}': dose and weight are kept by .dicom, .nii and .nii.gz", output_);
        }
        if (options_.uptake && !output_.ends_with(".dicom")) {
            refuseSameFile(calibration_, sidecarOf(output_));
        }
    }

    [[nodiscard]] std::string asInModel() const {
        if (!output_.ends_with(".petsird")) {
            throw WrongUse("'{}': --model is for list-mode as .petsird", output_);
        }
        const ListReadResult list =
            recognise(input_, throwIfInterrupted).readEvents({options_.partial, options_.scannerFile});
        return joinedNotes(list.note, writePetsird({output_, throwIfInterrupted}, list.events, model_));
    }

    [[nodiscard]] std::string inBecquerels(const Calibration& calibration, const std::string& source) const {
        const ThreadPool pool(0, Priority::Normal, throwIfInterrupted);
        Volume image = calibrated(input_, options_.iteration, calibration, source, throwIfInterrupted);
        if (options_.filter_mm > 0) {
            image = gaussianFiltered(image, options_.filter_mm, pool);
        }
        image = moved(image, options_.move, pool);
        PetExport scan{{}, options_.uptake};
        scan.image.info.frames = {{0, readRunSummary(input_).totals.duration_s}};
        scan.image.info.decay = DecayCorrection::None;
        return joinedNotes(writeImage({output_, throwIfInterrupted}, image, scan),
                           fmt::format("{}: in Bq/ml by {} ({})", output_, source, calibration.made));
    }

    std::string input_;
    std::string output_;
    std::string model_;
    std::string calibration_;
    UptakeOptions uptake_;
    MoveOptions move_;
    ConvertOptions options_;
};

}  // namespace

std::unique_ptr<Command> makeInfoCommand() {
    return std::make_unique<InfoCommand>();
}
std::unique_ptr<Command> makeConvertCommand() {
    return std::make_unique<ConvertCommand>();
}

}  // namespace tof
