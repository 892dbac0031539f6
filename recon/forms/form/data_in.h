// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "recon/forms/form/form.h"
#include "recon/io/hdf5/data_io.h"

namespace tof {

/// A row's own data in what everybody hands round: rows are written with these, and nobody else casts.
template <class Data, class Kept>
struct DataIn {
    [[nodiscard]] static const Data& of(const Measurement& data) {
        return *dynamic_cast<const Kept&>(data).data();
    }

    /// Gives a row what it does with its own type; `linesOf` is null where a kernel has to say how a run
    /// goes.
    static void fill(Form& form, nlohmann::ordered_json (*json)(const Data&),
                     std::string (*sentence)(const Data&),
                     void (*write)(const Destination&, const Data&, const MoreOfFile&),
                     PlannedLinesOf (*linesOf)(const Data&) = nullptr) {
        form.measure = [](MeasuredData data) -> std::shared_ptr<const Measurement> {
            return std::make_shared<const Kept>(std::get<Data>(std::move(data)));
        };
        form.json = [json](const MeasuredData& data) { return json(std::get<Data>(data)); };
        form.sentence = [sentence](const MeasuredData& data) { return sentence(std::get<Data>(data)); };
        form.copy = [](const Measurement& data) { return MeasuredData(of(data)); };
        form.write = [write](const Destination& to, const Measurement& data) { write(to, of(data), {}); };
        if (linesOf == nullptr) {
            return;
        }
        form.plan = [linesOf](const Measurement& data) {
            const PlannedLinesOf lines = linesOf(of(data));
            PlannedRun run;
            run.lattice = data.lattice();
            run.views = run.blocks = data.order(1).size();
            run.of = lines.of;
            run.lines = lines.lines;
            run.lineBytes = lines.lineBytes;
            return run;
        };
    }
};

}  // namespace tof
