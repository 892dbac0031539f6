// SPDX-License-Identifier: Apache-2.0
#include "recon/work/kinetic_rows.h"

#include <fmt/format.h>

#include <optional>
#include <string>

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

std::vector<KineticRow> inputRows() {
    return {
        KineticRow::of(&KineticsRequest::model, "model", Choices{kineticModelNames()}, Help{modelHelp()},
                       Shown::Command, Need::Required),
        KineticRow::of(
            &KineticsRequest::input, "input",
            Help{"Blood samples, decay-corrected to time zero: a table of PET BIDS (.tsv) with time "
                 "and plasma_radioactivity, whole_blood_radioactivity, metabolite_parent_fraction"},
            TextRole::File, Shown::Command),
        KineticRow::of(&KineticsRequest::inputRoi, "input-roi",
                       Help{"In place of blood samples: the ROI of --rois whose mean is taken for plasma"},
                       Shown::Command),
        KineticRow::of(&KineticsRequest::reference, "reference",
                       Help{"The ROI of --rois that is the reference region"}, Shown::Command),
        KineticRow::made(
            [](const KineticsRequest& request) {
                return request.start_s < 0 ? std::string() : shortestText(request.start_s) + "s";
            },
            [](KineticsRequest& request, const std::string& text) {
                request.start_s = text.empty() ? -1 : secondsFromText("--start", text);
            },
            "start", ValueName{"TIME"},
            Help{"When lines begin, as 20min: frames that start then or later are fitted"}, Shown::Command)};
}

std::vector<KineticRow> fitRows() {
    return {
        KineticRow::of(&KineticsRequest::weights, "weights", Choices{{"decay", "duration", "equal"}},
                       Help{"Weights of frames: duration and decay, duration alone, or all the same"},
                       Shown::Command),
        KineticRow::of(&KineticsRequest::threshold_percent, "threshold", Limits{0, 100}, Unit{"%"},
                       Help{"Voxels whose mean over time is below so many per cent of the largest stay 0"},
                       Shown::Command),
        KineticRow::of(&KineticsRequest::slowest_perMin, "slowest", Limits{1e-6, 1e3},
                       Help{"Basis functions: the slowest rate that is tried, 1/min"}, Shown::Command),
        KineticRow::of(&KineticsRequest::fastest_perMin, "fastest", Limits{1e-6, 1e3},
                       Help{"Basis functions: the fastest one, 1/min"}, Shown::Command),
        KineticRow::of(&KineticsRequest::referenceK2_perMin, "reference-rate", Limits{0, 1e3},
                       Help{"Logan with a reference: its rate of efflux k2, 1/min; 0 leaves its term out"},
                       Shown::Command),
        KineticRow::of(
            &KineticsRequest::replicates, "replicates", ValueName{"FILES"},
            Help{"Dynamic images of replicates of the scan, joined by commas: their SD is written as "
                 "NAME_sd"},
            TextRole::Files, Shown::Command)};
}

}  // namespace

const std::vector<DecayRow>& decayRows() {
    static const std::vector<DecayRow> rows{
        DecayRow::of(&DecayRequest::corrected, "decay-corrected", Choices{{"as-stated", "yes", "no"}},
                     Help{"Whether the image is decay-corrected, where its file does not say it"},
                     Shown::Command),
        DecayRow::of(&DecayRequest::halfLife_min, "half-life", Limits{0, 1e7},
                     Help{"Half life of the nuclide, minutes; 0 takes that of the file"}, Shown::Command)};
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
