// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/output_check.h"
#include "app/cli/roi_files.h"
#include "app/cli/volume_options.h"
#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format_table.h"
#include "recon/metrics/roi_place.h"
#include "recon/study/label_map.h"

namespace tof {

namespace {

bool isVolumeName(const std::string& path) {
    return path.ends_with(".nii") || path.ends_with(".nii.gz") || path.ends_with(".hv") ||
           path.ends_with(".h5");
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
        arguments.number("threshold", threshold_, 0, 100,
                         "Add what is found around --at: voxels of at least so many per cent of the largest");
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
        return recognise(image_).readVolume(volume_);
    }

    [[nodiscard]] Roi fromThreshold(const RoiSet& set) const {
        Roi roi = thresholdRegion(image("--threshold"), at_, threshold_ / 100, within_mm_).roi;
        if (kind_ == "sphere") {
            roi = sphereOfRegion(roi);
        }
        roi.name = freeName(set, kind_ == "sphere" ? "sphere" : "region");
        return roi;
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
            writeLabelMap(output_, set.rois, image("a label map").lattice);
            return;
        }
        writeTextAside(output_, roiSetToJson(set));
    }

    std::string output_;
    std::string from_;
    std::string phantom_;
    std::string image_;
    VolumeReadOptions volume_;
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
