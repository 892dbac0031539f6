// SPDX-License-Identifier: Apache-2.0
#include "app/cli/volume_options.h"

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"

namespace tof {

void describeVolumeOptions(Arguments& arguments, VolumeReadOptions& options) {
    options.choiceBy = ChoiceBy::Options;
    arguments.integer("frame", options.frame, 0, 100000,
                      "Which of several volumes or frames in a file, from 1; 0 takes the only one");
    arguments.text("series", options.series,
                   "Series of a DICOM folder: its number, description or instance UID");
    arguments.custom(
        "reverse-slices", "yes|no", "no",
        [&options](const std::string& text) {
            if (text != "yes" && text != "no") {
                throw WrongUse("option --reverse-slices is '{}'; it must be yes or no", text);
            }
            options.slices = text == "yes" ? SliceOrder::Reversed : SliceOrder::AsRead;
        },
        "Turn the volume head to feet, where the file does not say which slice is the first");
    arguments.text(
        "units", options.units,
        "Units of the volume's values where the file does not say them, as Bq/ml, kBq/ml, g/ml, 1/cm");
}

void describeStatedFactor(Arguments& arguments, VolumeReadOptions& options) {
    arguments.custom(
        "calibration", "stated|none", "stated",
        [&options](const std::string& text) {
            if (text != "stated" && text != "none") {
                throw WrongUse("option --calibration is '{}'; it must be stated or none here", text);
            }
            options.factor = text == "none" ? StatedFactor::Left : StatedFactor::Applied;
        },
        "Factor to physical units that the image states beside its scales (ECAT 7, Interfile, Philips): "
        "taken, "
        "or left out");
}

void describeSuvBody(Arguments& arguments, VolumeReadOptions& options) {
    arguments.custom(
        "suv-by", "weight|lean-mass|surface", "weight",
        [&options](const std::string& text) { options.suvBody = suvBodyFromName(text); },
        "SUV by body weight (g/ml), lean body mass (g/ml; height and sex) or body surface (cm2/ml; height)");
}

VolumeReadResult readVolumeSaying(const std::string& file, const VolumeReadOptions& options,
                                  Console& console) {
    VolumeReadResult read = recognise(file, throwIfInterrupted).readVolumeResult(options);
    if (!read.note.empty()) {
        console.note(read.note);
    }
    return read;
}

}  // namespace tof
