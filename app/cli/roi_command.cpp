// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_check.h"
#include "app/cli/roi_files.h"
#include "app/cli/uptake_options.h"
#include "app/cli/volume_options.h"
#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format_table.h"
#include "recon/metrics/contour.h"
#include "recon/metrics/roi_place.h"
#include "recon/study/label_map.h"

namespace tof {

namespace {

bool isVolumeName(const std::string& path) {
    return path.ends_with(".nii") || path.ends_with(".nii.gz") || path.ends_with(".hv") ||
           path.ends_with(".h5");
}

std::vector<std::string> contourIds() {
    std::vector<std::string> ids;
    for (const ContourRule& rule : contourRules()) {
        ids.push_back(rule.id);
    }
    return ids;
}

/// Makes ROIs without a window: from a phantom, a threshold, a ring of copies, between JSON and label maps.
class RoiCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("OUT", output_, "JSON to write; .nii, .nii.gz, .hv or .h5: a label map");
        arguments.text("from", from_, "ROIs to start with: a JSON file or a label map");
        arguments.text("phantom", phantom_, "Phantom whose spheres and backgrounds are added");
        arguments.text("image", image_, "Run or volume: measured by --threshold, lattice of a label map");
        describeVolumeOptions(arguments, volume_);
        describeStatedFactor(arguments, volume_);
        arguments.number("threshold", threshold_, 0, 100,
                         "Add what is found around --at: voxels of at least so many per cent of the largest");
        arguments.choice(
            "contour", contour_, contourIds(),
            "Add the voxels around --at within a level: a share of the largest, an SUV, or PERCIST "
            "by the ROI of --reference");
        arguments.text("reference", reference_,
                       "ROI that stands for the liver where PERCIST's level is asked for");
        uptake_.describe(arguments);
        arguments.custom(
            "paint", "X,Y,Z,MM;..", "", [this](const std::string& text) { takeStrokes("paint", text); },
            "Take the voxels of balls (middle and radius, mm) into the region of --brush");
        arguments.custom(
            "erase", "X,Y,Z,MM;..", "", [this](const std::string& text) { takeStrokes("erase", text); },
            "Take the voxels of balls out of the region of --brush");
        arguments.text("brush", brush_,
                       "Name of the region that --paint and --erase change; a new one unless it is there");
        arguments.custom(
            "at", "X,Y,Z", "0,0,0", [this](const std::string& text) { at_ = pointFromText("--at", text); },
            "Where the threshold looks, mm");
        arguments.number("within", within_mm_, 0.1, 1e5, "How far the threshold looks, mm");
        arguments.choice("kind", kind_, {"sphere", "voxels"}, "What the threshold makes");
        arguments.text("ring-of", ringOf_, "Name of an ROI that is copied around --about");
        arguments.integer("copies", copies_, 2, 1000, "How many there are in the ring at the end");
        arguments.custom(
            "about", "X,Y,Z", "0,0,0",
            [this](const std::string& text) { about_ = pointFromText("--about", text); },
            "A point of the ring's axis, mm");
    }

    void run(CommandContext& context) override {
        requireWritable(output_);
        RoiSet set = from_.empty() ? RoiSet{} : readRoiSet(from_);
        if (!phantom_.empty()) {
            const RoiSet placed = autoRois(phantom_);
            set.rois.insert(set.rois.end(), placed.rois.begin(), placed.rois.end());
            set.trueRatio = set.trueRatio > 0 ? set.trueRatio : placed.trueRatio;
        }
        if (threshold_ > 0) {
            set.rois.push_back(fromThreshold(set));
        }
        if (!contour_.empty()) {
            set.rois.push_back(fromContour(set, context));
        }
        if (!strokes_.empty()) {
            brush(set);
        }
        if (!ringOf_.empty()) {
            addRing(set);
        }
        write(set);
        if (context.console.json()) {
            context.console.resultAsJson({{"output", output_}, {"rois", set.rois.size()}});
        } else {
            context.console.note(fmt::format("{}: {} ROIs", output_, set.rois.size()));
        }
    }

  private:
    [[nodiscard]] Volume image(const char* why) const {
        if (image_.empty()) {
            throw WrongUse("{} needs --image FILE", why);
        }
        return recognise(image_, throwIfInterrupted).readVolume(volume_);
    }

    [[nodiscard]] Roi fromThreshold(const RoiSet& set) const {
        Roi roi = thresholdRegion(image("--threshold"), at_, threshold_ / 100, within_mm_).roi;
        if (kind_ == "sphere") {
            roi = sphereOfRegion(roi);
        }
        roi.name = freeName(set, kind_ == "sphere" ? "sphere" : "region");
        return roi;
    }

    [[nodiscard]] Roi fromContour(const RoiSet& set, CommandContext& context) const {
        if (image_.empty()) {
            throw WrongUse("--contour needs --image FILE");
        }
        const VolumeReadResult read = recognise(image_, throwIfInterrupted).readVolumeResult(volume_);
        ContourFacts facts;
        const std::optional<Uptake> given = uptake_.uptake(volume_.suvBody);
        const std::optional<Uptake>& uptake = given ? given : read.uptake;
        if (uptake) {
            facts.suvPerUnit = suvPerStored(read.volume.units, read.volume.lattice, 0, *uptake);
        }
        const auto liver = std::find_if(set.rois.begin(), set.rois.end(),
                                        [&](const Roi& roi) { return roi.name == reference_; });
        if (liver != set.rois.end()) {
            facts.reference = roiStatistics(*liver, read.volume);
        }
        const double level = contourLevel(contourRule(contour_), read.volume, at_, within_mm_, facts);
        Roi roi = contourRegion(read.volume, at_, level, within_mm_);
        roi.name = freeName(set, "contour");
        if (endsAtReach(read.volume, roi, at_, level, within_mm_)) {
            context.console.note(fmt::format(
                "{} was cut {:g} mm from --at, and the image goes on above its level; --within looks farther",
                roi.name, within_mm_));
        }
        return roi;
    }

    /// Balls "x,y,z,r;..." of --paint or --erase, in the order of the command line.
    void takeStrokes(const std::string& option, const std::string& text) {
        std::istringstream balls(text);
        for (std::string ball; std::getline(balls, ball, ';');) {
            const std::size_t comma = ball.rfind(',');
            const auto radius_mm =
                comma == std::string::npos ? std::nullopt : numberFrom<double>(ball.substr(comma + 1));
            if (!radius_mm || !(*radius_mm > 0 && *radius_mm <= 1000)) {
                throw WrongUse("option --{} has '{}'; a ball is x,y,z and a radius up to 1000 mm", option,
                               ball);
            }
            strokes_.push_back({pointFromText("--" + option, ball.substr(0, comma)), *radius_mm,
                                option == "paint" ? BrushUse::Add : BrushUse::Remove});
        }
    }

    void brush(RoiSet& set) const {
        const auto same = [&](const Roi& roi) { return roi.name == brush_; };
        auto at = std::find_if(set.rois.begin(), set.rois.end(), same);
        if (at == set.rois.end()) {
            Roi begun;
            begun.shape = Roi::Shape::Region;
            begun.name = brush_;
            at = set.rois.insert(set.rois.end(), begun);
        }
        const Lattice lattice = image("--paint and --erase").lattice;
        for (const BrushStroke& stroke : strokes_) {
            *at = brushed(*at, lattice, stroke);
        }
        if (at->region == nullptr) {
            throw WrongUse("region '{}' has no voxel left; paint some", brush_);
        }
    }

    void addRing(RoiSet& set) const {
        const auto first = std::find_if(set.rois.begin(), set.rois.end(),
                                        [&](const Roi& roi) { return roi.name == ringOf_; });
        if (first == set.rois.end()) {
            throw WrongUse("--ring-of '{}': there is no ROI of that name", ringOf_);
        }
        for (Roi& copy : ringOfCopies(*first, copies_, about_)) {
            copy.name = freeName(set, ringOf_);
            set.rois.push_back(std::move(copy));
        }
    }

    [[nodiscard]] static std::string freeName(const RoiSet& set, const std::string& stem) {
        for (int n = 1;; ++n) {
            std::string name = fmt::format("{} {}", stem, n);
            if (std::none_of(set.rois.begin(), set.rois.end(),
                             [&](const Roi& roi) { return roi.name == name; })) {
                return name;
            }
        }
    }

    void write(const RoiSet& set) const {
        if (isVolumeName(output_)) {
            writeLabelMap({output_, throwIfInterrupted}, set.rois, image("a label map").lattice);
            return;
        }
        writeTextAside(output_, roiSetToJson(set));
    }

    std::string output_;
    std::string from_;
    std::string phantom_;
    std::string image_;
    VolumeReadOptions volume_;
    std::string contour_;
    std::string reference_ = "liver";
    UptakeOptions uptake_;
    std::string brush_ = "region";
    std::vector<BrushStroke> strokes_;
    std::string kind_ = "sphere";
    std::string ringOf_;
    double threshold_ = 0;
    double within_mm_ = 30;
    int copies_ = 8;
    Vec3 at_;
    Vec3 about_;
};

}  // namespace

std::unique_ptr<Command> makeRoiCommand() {
    return std::make_unique<RoiCommand>();
}

}  // namespace tof
