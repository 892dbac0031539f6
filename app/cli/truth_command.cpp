// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_check.h"
#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format_table.h"
#include "recon/work/phantom_truth.h"
#include "recon/work/read_measurement.h"

namespace tof {

namespace fs = std::filesystem;

namespace {

/// The sidecar of BIDS that an image gets; empty where its format has none.
std::string sidecarOfImage(const std::string& path) {
    fs::path stem(path);
    stem = stem.extension() == ".gz" ? stem.replace_extension() : stem;
    return stem.extension() == ".nii" ? stem.replace_extension(".json").string() : "";
}

/// What a simulated phantom held in each frame: images, and curves of its shapes.
class TruthCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("DATA", data_,
                             "Data of a simulated phantom with a course in time, binned with --frames");
        arguments.text("out", image_,
                       "Dynamic image to write, as 'reconstruct --dynamic' does (.nii.gz, .h5)");
        arguments.text(
            "blood", blood_,
            "Blood samples to write, for 'kinetics --input' (.tsv with a sidecar of BIDS): the input "
            "of the phantom's tissue");
        arguments.integer("gate", gate_.number, 0, 100, "With gates: which of them, from 1");
        arguments.text("gates", gate_.by.file, "With gates: the table that the list was cut by");
        arguments.integer("gate-count", gate_.by.count, 2, 100, "With gates: how many they are");
        arguments.choice("gate-by", gateBy_, {"phase", "amplitude"}, "With gates: how they were cut");
        arguments.text("curves", curves_, "Table of the shapes' curves to write (.tsv)");
    }

    void run(CommandContext& context) override {
        if (image_.empty() && curves_.empty() && blood_.empty()) {
            throw WrongUse("give --out, --curves or --blood, or several of them");
        }
        requireOutputs();
        gate_.by.by = gateBy_ == "amplitude" ? GateBy::Amplitude : GateBy::Phase;
        const PhantomTruth truth =
            truthOf(*readMeasurement(data_, throwIfInterrupted), data_, gate_, throwIfInterrupted);
        if (!blood_.empty()) {
            requireBlood(truth);
        }
        if (!image_.empty()) {
            const std::string note = writeDynamicImage({image_, throwIfInterrupted}, truth.image);
            if (!note.empty()) {
                context.console.note(note);
            }
        }
        if (!curves_.empty()) {
            writeTextAside(curves_, curvesTable(truth.image.info.frames, truth.curves));
        }
        if (!blood_.empty()) {
            writeBlood(truth);
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
    [[nodiscard]] std::string sidecarOfBlood() const {
        return blood_.empty() ? "" : fs::path(blood_).replace_extension(".json").string();
    }

    void requireOutputs() const {
        if (!blood_.empty() && fs::path(blood_).extension() != ".tsv") {
            throw WrongUse("--blood is '{}'; its name must end in .tsv", blood_);
        }
        std::set<fs::path> names;
        for (const std::string& output :
             {image_, sidecarOfImage(image_), curves_, blood_, sidecarOfBlood()}) {
            if (output.empty()) {
                continue;
            }
            refuseSameFile(data_, output);
            requireWritable(output);
            if (!names.insert(fs::absolute(output).lexically_normal()).second) {
                throw WrongUse("'{}' would be written twice, sidecars included; give outputs other names",
                               output);
            }
        }
    }

    void requireBlood(const PhantomTruth& truth) const {
        if (truth.blood.empty()) {
            throw WrongUse("{}: the phantom's tissue has no input; leave --blood out", data_);
        }
        if (truth.image.info.units != "Bq/ml") {
            throw WrongUse("{}: blood is in Bq/ml; bin the list with --nuclide", data_);
        }
    }

    void writeBlood(const PhantomTruth& truth) const {
        const nlohmann::ordered_json sidecar{{"time", {{"Units", "s"}}},
                                             {"plasma_radioactivity", {{"Units", "Bq/mL"}}}};
        const std::string described = sidecarOfBlood();
        writeTogether({{blood_, [&](const std::string& part) { writeTextFile(part, blood_, truth.blood); }},
                       {described, [&](const std::string& part) {
                            writeTextFile(part, described, jsonText(sidecar, 2) + "\n");
                        }}});
    }

    std::string data_;
    std::string image_;
    std::string curves_;
    std::string blood_;
    TruthGate gate_;
    std::string gateBy_ = "phase";
};

}  // namespace

std::unique_ptr<Command> makeTruthCommand() {
    return std::make_unique<TruthCommand>();
}

}  // namespace tof
