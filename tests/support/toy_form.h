// SPDX-License-Identifier: Apache-2.0
// A form of data in one file: how events become the toy's counts, what can be corrected of them, and what is
// planned, told and shown. Nothing of the product knows it.
#pragma once

#include <any>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/forms/forms.h"
#include "tests/support/toy_measurement.h"

namespace tof::test {

/// Six bins see four voxels, two bins a view.
inline ToyModel toyFormModel() {
    return {Lattice::centred({4, 1, 1}, {1, 1, 1}),
            {{1, 0.5, 0, 0}, {0, 1, 0.5, 0}, {0, 0, 1, 0.5}, {0.5, 0, 0, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}},
            2};
}

/// Counts, and the factors that a reconstruction would take; empty: 1.
struct ToyCounts {
    std::vector<float> counts;
    std::vector<float> factors;
};

inline const ToyCounts& toyCounts(const MeasuredData& data) {
    return *std::any_cast<ToyCounts>(&std::get<OtherData>(data).value);
}

/// An event belongs to the bin that the sum of its crystals says.
inline BinResult binToys(const BinContext& context, EventSource& source) {
    const std::size_t bins = toyFormModel().matrix.size();
    ToyCounts data{std::vector<float>(bins, 0.0F), std::vector<float>(bins, 0.5F)};
    for (const auto& [one, two] : source.share().events.crystals) {
        data.counts[(one + two) % bins] += 1.0F;
    }
    context.note("toys are counted");
    return {OtherData{std::move(data), "70y"}};
}

/// The one part, survival, came with the data and can be switched.
inline FormCorrections toyCorrections() {
    FormCorrections form;
    form.parts.push_back({.name = PartName::Attenuation,
                          .need = PartNeed::Binning,
                          .given = [](const PartQuestion& /*about*/) { return PartGiven::Values; }});
    form.begin = [](PartFlow& flow) {
        const auto& data = std::any_cast<const ToyCounts&>(flow.data<OtherData>().value);
        flow.parts().belongTo("toys", {}, "");
        flow.parts().keepGiven(PartName::Attenuation,
                               flow.parts().key(PartName::Attenuation).values(data.factors).result(),
                               data.factors);
    };
    form.compose = [](PartFlow& flow) {
        auto& data = std::any_cast<ToyCounts&>(flow.data<OtherData>().value);
        const CorrectionPart* const survival = flow.parts().taken(PartName::Attenuation);
        data.factors = survival != nullptr ? survival->values : std::vector<float>();
    };
    return form;
}

/// The row of the form.
inline Form toyForm() {
    Form form{.name = "toy", .kind = "toy-counts", .bin = binToys};
    form.measure = [](MeasuredData data) -> std::shared_ptr<const Measurement> {
        return std::make_shared<ToyMeasurement>(toyFormModel(), toyCounts(data).counts);
    };
    form.json = [](const MeasuredData& data) {
        return nlohmann::ordered_json{{"toys", toyCounts(data).counts.size()}};
    };
    form.sentence = [](const MeasuredData& data) {
        return std::to_string(toyCounts(data).counts.size()) + " bins of toys";
    };
    form.plan = [](const Measurement& data) {
        PlannedRun run;
        run.lattice = data.lattice();
        run.views = run.blocks = data.order(1).size();
        run.of = PlannedLines::Bins;
        run.lines = static_cast<double>(toyFormModel().matrix.size());
        return run;
    };
    form.words.first = {"Shelf", "Which shelf the toys lie on"};
    form.words.second = {"Box", "", ValueText::Place, "the only one"};
    form.words.csvHead = "shelf,box";
    form.corrections = toyCorrections();
    return form;
}

/// The product's forms and the toy's.
inline FormTable formsWithToys() {
    FormTable forms = builtInForms();
    forms.add(toyForm());
    return forms;
}

}  // namespace tof::test
