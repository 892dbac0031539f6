// SPDX-License-Identifier: Apache-2.0
#include "app/cli/observer_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/text_table.h"
#include "recon/base/plain_text.h"
#include "recon/base/words.h"

namespace tof {

namespace {

std::vector<std::string> namesOf(const std::string& list) {
    std::vector<std::string> names = parts(list, ',');
    std::erase(names, "");
    return names;
}

std::vector<std::string> columns() {
    return {"iteration", "ROI", "AUC", "low", "high", "SNR", "CRC", "noise"};
}

std::vector<std::string> cells(const ObserverRow& row) {
    return {fmt::format("{}", row.iteration),
            row.roi,
            figureText(row.task.area),
            figureText(row.task.low()),
            figureText(row.task.high()),
            figureText(row.task.snr),
            figureText(row.crc),
            figureText(row.noise)};
}

}  // namespace

void ObserverOptions::describe(Arguments& arguments) {
    arguments.choice("observer", observer_, {"none", "cho", "lroc"},
                     "Model observer of replicates: AUC, its 95 % interval and SNR of every sphere. cho: "
                     "channelized Hotelling at the sphere's place; lroc: it searches the place, too");
    arguments.text("replicates", replicates_,
                   "Observer: further runs or images of the same object, joined by commas");
    arguments.text("absent", absent_,
                   "Observer: runs or images without the spheres, joined by commas; empty: patches at the "
                   "uniform ROIs of the same images");
    arguments.rows(boundRows(observerRows(), request_));
}

std::vector<std::string> ObserverOptions::present(const std::string& first) const {
    std::vector<std::string> names = namesOf(replicates_);
    names.insert(names.begin(), first);
    return names;
}

std::vector<std::string> ObserverOptions::absent() const {
    return namesOf(absent_);
}

ObserverRequest ObserverOptions::request() const {
    ObserverRequest request = request_;
    request.observer = observer_;
    return request;
}

std::string observerTable(const std::vector<ObserverRow>& rows) {
    std::vector<std::vector<std::string>> table{columns()};
    for (const ObserverRow& row : rows) {
        table.push_back(cells(row));
    }
    return textTable(table);
}

std::string observerCsv(const std::vector<ObserverRow>& rows) {
    std::string text = fmt::format("{}", fmt::join(columns(), ","));
    for (const ObserverRow& row : rows) {
        std::vector<std::string> of = cells(row);
        of[1] = csvCell(row.roi);
        text += fmt::format("\n{}", fmt::join(of, ","));
    }
    return text;
}

nlohmann::ordered_json observerJson(const std::vector<ObserverRow>& rows) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ObserverRow& row : rows) {
        list.push_back({{"iteration", row.iteration},
                        {"roi", row.roi},
                        {"auc", row.task.area},
                        {"auc_sd", row.task.sd},
                        {"auc_low", row.task.low()},
                        {"auc_high", row.task.high()},
                        {"snr", row.task.snr},
                        {"crc", row.crc},
                        {"noise", row.noise}});
    }
    return list;
}

}  // namespace tof
