// SPDX-License-Identifier: Apache-2.0
#include "recon/work/kinetic_rows.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "recon/base/error.h"
#include "recon/frames/frame_list.h"
#include "recon/kinetics/kinetic_model.h"

namespace tof {

namespace {

using namespace row_words;
using KineticRow = RequestRow<KineticsRequest>;
using DecayRow = RequestRow<DecayRequest>;

/// A time with its unit, "90s", "20min" or "1.5h", in s. Throws WrongUse that names `option`.
double secondsFromText(const std::string& option, const std::string& text) {
    const std::optional<double> seconds = secondsFrom(text);
    if (!seconds || !(*seconds >= 0)) {
        throw WrongUse("option {} is '{}'; it must be a time with its unit, as 90s, 20min or 1.5h", option,
                       text);
    }
    return *seconds;
}

std::string modelHelp() {
    std::string help = "Model:";
    for (const KineticModel& model : kineticModels()) {
        help += fmt::format("\n{}: {}", model.name, model.explanation);
    }
    return help;
}

std::vector<std::string> modelWords() {
    std::vector<std::string> words;
    for (const KineticModel& model : kineticModels()) {
        words.push_back(model.words);
    }
    return words;
}

KineticRow::Applies comparesWith(InputKind input) {
    return [input](const KineticsRequest& request) {
        return !request.model.empty() && kineticModel(request.model).input == input;
    };
}
KineticRow::Applies fits(FitKind fit) {
    return [fit](const KineticsRequest& request) {
        return !request.model.empty() && kineticModel(request.model).fit == fit;
    };
}

std::vector<KineticRow> inputRows() {
    return {
        KineticRow::of(&KineticsRequest::model, "model", Label{toTranslate("Word", "Model")},
                       Choices{kineticModelNames()}, ChoiceWords{modelWords()}, Help{modelHelp()},
                       Tip{toTranslate("Word", "What every voxel is fitted with")}, Need::Required),
        KineticRow::of(
            &KineticsRequest::input, "input", Label{toTranslate("Word", "Blood samples")},
            Help{"Blood samples, decay-corrected to time zero: a table of PET BIDS (.tsv) with time "
                 "and plasma_radioactivity, whole_blood_radioactivity, metabolite_parent_fraction"},
            Tip{toTranslate("Word",
                            "A table of PET BIDS (.tsv), decay-corrected to time zero: time, "
                            "plasma_radioactivity, whole_blood_radioactivity, metabolite_parent_fraction")},
            Empty{toTranslate("Word", "none")}, TextRole::File, comparesWith(InputKind::Plasma)),
        KineticRow::of(
            &KineticsRequest::inputRoi, "input-roi", Label{toTranslate("Word", "or plasma in")},
            Help{"In place of blood samples: the ROI of --rois whose mean is taken for plasma"},
            Tip{toTranslate("Word", "The ROI whose mean is taken for plasma, without blood samples")},
            comparesWith(InputKind::Plasma)),
        KineticRow::of(&KineticsRequest::reference, "reference",
                       Label{toTranslate("Word", "Reference region")},
                       Help{"The ROI of --rois that is the reference region"},
                       Tip{toTranslate("Word", "The ROI without specific binding, or without trapping")},
                       comparesWith(InputKind::Reference)),
        KineticRow::made(
            [](const KineticsRequest& request) {
                return request.start_s < 0 ? std::string() : shortestText(request.start_s) + "s";
            },
            [](KineticsRequest& request, const std::string& text) {
                request.start_s = text.empty() ? -1 : secondsFromText("--start", text);
            },
            "start", Label{toTranslate("Word", "Line from")}, ValueName{"TIME"},
            Help{toTranslate("Word",
                             "When lines begin, as 20min: frames that start then or later are fitted")},
            Refused{toTranslate("Word", "a time with its unit is needed, as 90s, 20min or 1.5h")},
            Empty{toTranslate("Word", "a time, as 20min")}, fits(FitKind::LateFrames))};
}

std::vector<KineticRow> fitRows() {
    return {
        KineticRow::of(
            &KineticsRequest::weights, "weights", Label{toTranslate("Word", "Weights of frames")},
            Choices{{"decay", "duration", "equal"}},
            ChoiceWords{{toTranslate("Word", "duration and decay"), toTranslate("Word", "duration"),
                         toTranslate("Word", "all the same")}},
            Help{toTranslate("Word",
                             "Weights of frames: duration and decay, duration alone, or all the same")}),
        KineticRow::of(
            &KineticsRequest::threshold_percent, "threshold", Label{toTranslate("Word", "Threshold")},
            Limits{0, 100}, Unit{"%"},
            Help{toTranslate("Word",
                             "Voxels whose mean over time is below so many per cent of the largest "
                             "stay 0")}),
        KineticRow::of(&KineticsRequest::slowest_perMin, "slowest",
                       Label{toTranslate("Word", "Slowest rate")}, Unit{"1/min"}, Limits{1e-6, 1e3},
                       Help{toTranslate("Word", "Basis functions: the slowest rate that is tried, 1/min")},
                       fits(FitKind::AllFrames)),
        KineticRow::of(&KineticsRequest::fastest_perMin, "fastest",
                       Label{toTranslate("Word", "Fastest rate")}, Unit{"1/min"}, Limits{1e-6, 1e3},
                       Help{toTranslate("Word", "Basis functions: the fastest one, 1/min")},
                       fits(FitKind::AllFrames)),
        KineticRow::of(
            &KineticsRequest::referenceK2_perMin, "reference-rate",
            Label{toTranslate("Word", "Rate of the reference")}, Unit{"1/min"}, Limits{0, 1e3},
            Empty{toTranslate("Word", "left out")},
            Help{toTranslate("Word",
                             "Logan with a reference: its rate of efflux k2, 1/min; 0 leaves its term out")},
            [](const KineticsRequest& request) { return request.model == "logan-reference"; }),
        KineticRow::of(&KineticsRequest::replicates, "replicates", Label{toTranslate("Word", "Replicates")},
                       ValueName{"FILES"},
                       Help{toTranslate(
                           "Word",
                           "Dynamic images of replicates of the scan, joined by commas: their SD is written "
                           "as NAME_sd")},
                       Empty{toTranslate("Word", "none")}, TextRole::Files)};
}

}  // namespace

const std::vector<DecayRow>& decayRows() {
    static const std::vector<DecayRow> rows{
        DecayRow::of(&DecayRequest::corrected, "decay-corrected",
                     Label{toTranslate("Word", "Decay-corrected")}, Choices{{"as-stated", "yes", "no"}},
                     ChoiceWords{{toTranslate("Word", "as the image says"), toTranslate("Word", "yes"),
                                  toTranslate("Word", "no")}},
                     Help{toTranslate(
                         "Word", "Whether the image is decay-corrected, where its file does not say it")}),
        DecayRow::of(
            &DecayRequest::halfLife_min, "half-life", Label{toTranslate("Word", "Half life")}, Unit{"min"},
            Limits{0, 1e7}, Empty{toTranslate("Word", "as the image says")},
            Help{toTranslate("Word", "Half life of the nuclide, minutes; 0 takes that of the file")})};
    return rows;
}

const std::vector<KineticRow>& kineticRows() {
    static const std::vector<KineticRow> rows = [] {
        std::vector<KineticRow> all = inputRows();
        const std::vector<KineticRow> fit = fitRows();
        all.insert(all.end(), fit.begin(), fit.end());
        for (const DecayRow& row : decayRows()) {
            KineticRow& made = all.emplace_back();
            static_cast<RowInfo&>(made) = row;
            made.read = row.read;
            made.write = row.write;
        }
        return all;
    }();
    return rows;
}

}  // namespace tof
