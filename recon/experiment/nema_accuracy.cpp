// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/nema_accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace tof {

namespace {

std::optional<double> publishedPeak(const std::vector<PublishedFigure>& published) {
    for (const PublishedFigure& one : published) {
        if (one.key == "necr_peak_at") {
            return one.value;
        }
    }
    return std::nullopt;
}

/// The largest error of a slice up to the activity at which NECR was published to be highest, else of all.
Comparison largestOf(const std::vector<AccuracyError>& errors, const std::optional<double>& peak) {
    Comparison row{"Largest error of a slice", "%", "", 0, "at all activities"};
    if (peak) {
        row.remark = fmt::format("up to {:g} kBq/ml, the published peak of NECR", *peak);
    }
    for (const AccuracyError& error : errors) {
        if (!peak || error.kBqPerMl <= *peak) {
            row.ours = std::max(row.ours, error.largest());
        }
    }
    return row;
}

}  // namespace

Experiment accuracyExperiment() {
    return {"nema", "NEMA NU 2-2018, section 6", "Accuracy of corrections against activity", "", "", nullptr};
}

ExperimentReport accuracyReport(const AccuracyRequest& request) {
    const std::vector<AccuracyError> errors =
        accuracyErrors(request.scans, request.centre, request.halfLength_mm);
    ExperimentReport report;
    report.conditions =
        fmt::format("{} images, {}, circles of 180 mm, over what the three lowest activities say",
                    errors.size(), latticeText(request.scans.front().image->lattice));
    report.data.columns = {"kBq/ml", "mean error %", "lowest %", "highest %"};
    LineChart chart{"kBq/ml", "error, %", {{"mean of slices"}, {"lowest slice"}, {"highest slice"}}};
    for (const AccuracyError& error : errors) {
        report.data.rows.push_back({error.kBqPerMl, error.mean, error.lowest, error.highest});
        report.comparisons.push_back({fmt::format("Mean error at {:g} kBq/ml", error.kBqPerMl), "%", "",
                                      error.mean,
                                      fmt::format("slices {:.1f} to {:.1f} %", error.lowest, error.highest)});
        const double values[] = {error.mean, error.lowest, error.highest};
        for (std::size_t i = 0; i < chart.lines.size(); ++i) {
            chart.lines[i].add(error.kBqPerMl, values[i]);
        }
    }
    report.comparisons.push_back(largestOf(errors, publishedPeak(request.published)));
    report.pictures.push_back({"accuracy.svg", "Errors of slices against activity.", std::move(chart)});
    return report;
}

}  // namespace tof
