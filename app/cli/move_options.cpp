// SPDX-License-Identifier: Apache-2.0
#include "app/cli/move_options.h"

#include "app/cli/arguments.h"
#include "app/cli/interrupt.h"
#include "app/cli/roi_files.h"
#include "recon/io/format_table.h"
#include "recon/register/transform_file.h"

namespace tof {

void MoveOptions::describe(Arguments& arguments) {
    arguments.custom(
        "axes", "LPS", "LPS",
        [this](const std::string& text) { move_.axes = TrueAxes::fromText("option --axes", text); },
        "Where x, y and z of the image really run, where its file says it wrongly: L or R, P or A, S or I; "
        "no value changes");
    arguments.flag("straighten", straighten_,
                   "Turn the image so that the longest axis of what it shows lies along x, y or z");
    describePlace(arguments);
    arguments.text("transform", transform_,
                   "Carry the image as 'register' has found: ITK's .tfm, or a pose as .tsv or .json");
    arguments.text("onto", onto_, "Image on whose lattice the moved one is sampled; else around itself");
}

void MoveOptions::describePlace(Arguments& arguments) {
    arguments.custom(
        "turn", "X,Y,Z", "0,0,0",
        [this](const std::string& text) { move_.by.turn_deg = pointFromText("--turn", text); },
        "Turn the image about its middle: about x, then y, then z, degrees");
    arguments.custom(
        "shift", "X,Y,Z", "0,0,0",
        [this](const std::string& text) { move_.by.shift_mm = pointFromText("--shift", text); },
        "Shift the image, mm");
}

ImageMove MoveOptions::move() const {
    ImageMove move = move_;
    move.straighten = straighten_ ? Straighten::Yes : Straighten::No;
    if (!transform_.empty()) {
        move.place = readTransform(transform_);
    }
    if (!onto_.empty()) {
        move.onto = recognise(onto_, throwIfInterrupted).readVolume().lattice;
    }
    return move;
}

}  // namespace tof
