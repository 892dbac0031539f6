// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/roi_files.h"
#include "app/cli/volume_options.h"
#include "app/cli/wings/report_tables.h"
#include "app/cli/wings/wing_commands.h"
#include "app/experiment/report.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/suggestion.h"
#include "recon/base/words.h"
#include "recon/experiment/nema.h"
#include "recon/experiment/nema_accuracy.h"
#include "recon/experiment/nema_image.h"
#include "recon/experiment/registry.h"

namespace tof {

namespace {

class NemaCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("SCANNER", scanner_,
                             "Scanner to simulate, with 'detection': built-in name or JSON file",
                             Need::Optional);
        arguments.custom(
            "sensitivity", "LISTS", "none", [this](const std::string& text) { lists_ = parts(text, ','); },
            "Measured lists of the line source in 1, 2, ... sleeves, as A,B,C, instead of a scanner");
        arguments.number("activity", activity_MBq_, 0, 1e6, "Mean activity of that line in MBq");
        arguments.text("image-quality", image_,
                       "Image of the image-quality phantom, instead: contrast, background variability, lung, "
                       "EARL; with SCANNER beside what was published of it");
        arguments.custom(
            "accuracy", "IMAGES", "none", [this](const std::string& text) { accuracy_ = parts(text, ','); },
            "Corrected images of the scatter phantom, as A,B,C,D, instead: errors of their slices against "
            "--activities, those of the images in that order; with SCANNER up to its published peak of NECR");
        arguments.text("phantom", phantom_, "Its phantom: built-in name or JSON file");
        arguments.custom(
            "centre", "X,Y,Z", "0,0,0",
            [this](const std::string& text) { centre_ = pointFromText("--centre", text); },
            "Where the phantom's origin, the middle between its spheres, lies in the image, mm");
        arguments.choice("size", size_, {"small", "full"},
                         "small: 20,000 events a scan, about a minute on two cores; full: a million");
        arguments.text("output", folder_, "Folder for nema.html, nema.json, nema.csv, nema.md and pictures",
                       Need::Required);
        arguments.custom(
            "tests", "LIST", fmt::format("{}", fmt::join(usualNemaTests(), ",")),
            [this](const std::string& text) { tests_ = testsFrom(text); },
            "Tests to do; image-quality besides: the torso phantom, simulated with 50 times the events, "
            "corrected and reconstructed; accuracy: the scatter phantom so at every activity; "
            "nu4-resolution, nu4-sensitivity, nu4-mouse and nu4-rat for small animals");
        arguments.custom(
            "activities", "LIST", "by the size",
            [this](const std::string& text) { activities_ = concentrationsFrom(text); },
            "Activities of the scatter phantom in kBq/ml, as 5,10,20; of NU 4 over its own volume");
        arguments.integer("events", events_, 0, std::uint64_t{1} << 32U,
                          "Events of every scan; 0: by the size");
        arguments.choice("engine", engine_, {"cpu", "cuda"}, "Engine that makes scans in time");
        arguments.integer("threads", threads_, 0, 1024, "Threads of the host; 0 takes every core");
    }

    void run(CommandContext& context) override {
        const bool images = !image_.empty() || !accuracy_.empty();
        const int asked = (lists_.empty() ? 0 : 1) + (image_.empty() ? 0 : 1) + (accuracy_.empty() ? 0 : 1) +
                          (scanner_.empty() || images ? 0 : 1);
        if (asked != 1) {
            throw WrongUse(
                "give either SCANNER, which is simulated, or --sensitivity, --image-quality or --accuracy, "
                "lists "
                "or images that were measured");
        }
        if (!image_.empty()) {
            return tellImage(context);
        }
        if (!accuracy_.empty()) {
            return tellAccuracy(context);
        }
        const NemaRequest request = lists_.empty()
                                        ? NemaRequest{Scanner::find(scanner_), tests_, activities_}
                                        : measuredSensitivity(lists_, activity_MBq_, throwIfInterrupted);
        makeReportFolder(folder_);
        const Experiment experiment = nemaExperiment(request.scanner);
        const ExperimentReport report = [&] {
            ProgressBar bar(context.console, experiment.name);
            ExperimentContext how{context.engines, ExperimentSize::Quick, engine_, threads_, {}};
            how.size = size_ == "full" ? ExperimentSize::Full : ExperimentSize::Quick;
            how.events = events_;
            how.progress = [&](const std::string& what, double done) {
                throwIfInterrupted();
                bar.update(done, what);
            };
            return withProvenance(how, [&] { return nemaReport(request, how); });
        }();
        tell(context.console, experiment, report);
    }

  private:
    void tellImage(CommandContext& context) {
        const auto image = std::make_shared<const Volume>(
            readVolumeSaying(image_, VolumeReadOptions(), context.console).volume);
        tellMade(context, imageQualityExperiment(image_), [&] {
            return imageQualityReport({image_, image, Phantom::find(phantom_), centre_, published()});
        });
    }

    void tellAccuracy(CommandContext& context) {
        if (activities_.size() != accuracy_.size()) {
            throw WrongUse("{} images and {} activities: give --activities one for each image, as 2,5,10,20",
                           accuracy_.size(), activities_.size());
        }
        AccuracyRequest request;
        request.centre = centre_;
        request.published = published();
        for (std::size_t i = 0; i < accuracy_.size(); ++i) {
            request.scans.push_back(
                {std::make_shared<const Volume>(
                     readVolumeSaying(accuracy_[i], VolumeReadOptions(), context.console).volume),
                 activities_[i]});
        }
        tellMade(context, accuracyExperiment(), [&] { return accuracyReport(request); });
    }

    [[nodiscard]] std::vector<PublishedFigure> published() const {
        return scanner_.empty() ? std::vector<PublishedFigure>() : publishedFigures(Scanner::find(scanner_));
    }

    void tellMade(CommandContext& context, const Experiment& experiment,
                  const std::function<ExperimentReport()>& make) const {
        makeReportFolder(folder_);
        const ExperimentContext how{context.engines, ExperimentSize::Quick, engine_, threads_, {}};
        tell(context.console, experiment, withProvenance(how, make));
    }

    void tell(Console& console, const Experiment& experiment, const ExperimentReport& report) const {
        writeReport(folder_, experiment, report);
        if (console.json()) {
            console.resultAsJson(parseOrderedJson(reportAsJson(experiment, report), experiment.name));
        } else {
            tellReport(console, experiment, report, folder_);
        }
    }

    static std::vector<std::string> testsFrom(const std::string& text) {
        const std::vector<std::string> known = nemaTests();
        std::vector<std::string> tests = parts(text, ',');
        for (const std::string& test : tests) {
            if (std::find(known.begin(), known.end(), test) == known.end()) {
                throw WrongUse("no test '{}'{}; there are {}", test, suggestion(test, known),
                               fmt::join(known, ", "));
            }
        }
        return tests;
    }

    std::string scanner_;
    std::string image_;
    std::string phantom_ = "nema-iq-2018";
    Vec3 centre_;
    std::string size_ = "small";
    std::string folder_;
    std::string engine_ = "cpu";
    std::vector<std::string> tests_;
    std::vector<double> activities_;
    std::vector<std::string> lists_;
    std::vector<std::string> accuracy_;
    double activity_MBq_ = 0;
    std::uint64_t events_ = 0;
    int threads_ = 0;
};

}  // namespace

CommandInfo nemaCommand() {
    return {"nema", "Test a scanner by NEMA NU 2 or 4: resolution, sensitivity, rates, image quality",
            []() -> std::unique_ptr<Command> { return std::make_unique<NemaCommand>(); }};
}

}  // namespace tof
