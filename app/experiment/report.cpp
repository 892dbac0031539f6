// SPDX-License-Identifier: Apache-2.0
#include "app/experiment/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/experiment/html_report.h"
#include "app/pictures/pictures.h"
#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/base/plain_text.h"
#include "recon/experiment/registry.h"
#include "recon/io/bytes/atomic_file.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

std::string pictureFile(const Experiment& experiment, const ExperimentPicture& picture) {
    return experiment.name + "-" + picture.file;
}

Json checksForm(const std::vector<Check>& checks) {
    Json form = Json::array();
    for (const Check& check : checks) {
        form.push_back({{"name", check.name},
                        {"condition", check.condition()},
                        {"bound", check.bound},
                        {"tolerance", check.tolerance},
                        {"value", check.value},
                        {"unit", check.unit},
                        {"source", check.source},
                        {"remark", check.missing.empty() ? check.remark : check.missing},
                        {"verdict", verdictName(check.verdict())}});
    }
    return form;
}

Json provenanceForm(const Provenance& made) {
    Json engines = Json::object();
    for (const auto& [name, device] : made.engines) {
        engines[name] = device;
    }
    return {{"date", made.date},  {"version", made.version}, {"machine", made.machine},
            {"engines", engines}, {"size", made.size},       {"seconds", made.seconds}};
}

std::string checksAsMarkdown(const std::vector<Check>& checks) {
    std::string out = "\n| check | condition | value | |\n| --- | --- | --- | --- |\n";
    for (const Check& check : checks) {
        const std::string& why = check.missing.empty() ? check.remark : check.missing;
        out += fmt::format("| {} ({}) | {} | {} | {}{} |\n", check.name, check.source, check.condition(),
                           std::isfinite(check.value) ? fmt::format("{:.4g}", check.value) : std::string("-"),
                           verdictName(check.verdict()), why.empty() ? "" : ": " + why);
    }
    return out;
}

std::string csvCell(const DataTable::Cell& cell) {
    if (const auto* value = std::get_if<double>(&cell)) {
        return std::isfinite(*value) ? fmt::format("{:.9g}", *value) : std::string();
    }
    return tof::csvCell(std::get<std::string>(cell));
}

}  // namespace

std::string reportAsJson(const Experiment& experiment, const ExperimentReport& report) {
    Json comparisons = Json::array();
    for (const Comparison& c : report.comparisons) {
        comparisons.push_back({{"quantity", c.quantity},
                               {"unit", c.unit},
                               {"paper", c.paper},
                               {"ours", c.ours},
                               {"remark", c.remark}});
    }
    Json rows = Json::array();
    for (const auto& row : report.data.rows) {
        Json cells = Json::array();
        for (const DataTable::Cell& cell : row) {
            std::visit([&](const auto& value) { cells.push_back(value); },
                       cell);  // null for what is no number
        }
        rows.push_back(cells);
    }
    Json pictures = Json::array();
    for (const ExperimentPicture& picture : report.pictures) {
        pictures.push_back(pictureFile(experiment, picture));
    }
    return jsonText(Json{{"experiment", experiment.name},
                         {"source", experiment.source},
                         {"conditions", report.conditions},
                         {"comparisons", comparisons},
                         {"columns", report.data.columns},
                         {"rows", rows},
                         {"pictures", pictures},
                         {"notes", report.notes},
                         {"checks", checksForm(report.checks)},
                         {"verdict", verdictName(report.verdict())},
                         {"skipped", report.skipped},
                         {"seeds", report.seeds},
                         {"made", provenanceForm(report.made)}},
                    2);
}

std::string reportAsCsv(const ExperimentReport& report) {
    std::string out = fmt::format("{}\n", fmt::join(report.data.columns, ","));
    for (const auto& row : report.data.rows) {
        std::vector<std::string> cells;
        cells.reserve(row.size());
        for (const DataTable::Cell& cell : row) {
            cells.push_back(csvCell(cell));
        }
        out += fmt::format("{}\n", fmt::join(cells, ","));
    }
    return out;
}

std::string reportAsMarkdown(const Experiment& experiment, const ExperimentReport& report) {
    std::string out = fmt::format("# {}\n\n{}: {}.\n\n{}\n\n| | paper | here |\n| --- | --- | --- |\n",
                                  experiment.name, experiment.source, experiment.about, report.conditions);
    for (const Comparison& c : report.comparisons) {
        const std::string ours = std::isfinite(c.ours) ? fmt::format("{:.4g}", c.ours) : std::string("-");
        const std::string unit = c.unit.empty() || !std::isfinite(c.ours) ? "" : " " + c.unit;
        const std::string remark = c.remark.empty() ? "" : fmt::format(" ({})", c.remark);
        out += fmt::format("| {} | {} | {}{}{} |\n", c.quantity, c.paper.empty() ? "-" : c.paper, ours, unit,
                           remark);
    }
    if (!report.skipped.empty()) {
        out += fmt::format("\nSkipped: {}\n", report.skipped);
    }
    if (!report.checks.empty()) {
        out += checksAsMarkdown(report.checks);
    }
    for (const ExperimentPicture& picture : report.pictures) {
        out += fmt::format("\n![{}]({})\n\n{}\n", picture.file, pictureFile(experiment, picture),
                           picture.caption);
    }
    for (const std::string& note : report.notes) {
        out += fmt::format("\n{}\n", note);
    }
    return out + fmt::format("\nAll figures: `{0}.csv`, `{0}.json`.\n", experiment.name);
}

void makeReportFolder(const std::string& folder) {
    std::error_code fault;
    std::filesystem::create_directories(folder, fault);
    if (fault || !std::filesystem::is_directory(folder)) {
        throw CannotWrite("cannot make the folder '{}': {}", folder,
                          fault ? fault.message() : "a file of that name is there");
    }
}

void writeReport(const std::string& folder, const Experiment& experiment, const ExperimentReport& report) {
    makeReportFolder(folder);
    const auto path = [&](const std::string& name) {
        return (std::filesystem::path(folder) / name).string();
    };
    for (const ExperimentPicture& picture : report.pictures) {
        writeTextAside(path(pictureFile(experiment, picture)), pictureBytes(picture.shown));
    }
    writeTextAside(path(experiment.name + ".csv"), reportAsCsv(report));
    writeTextAside(path(experiment.name + ".md"), reportAsMarkdown(experiment, report));
    writeTextAside(path(experiment.name + ".html"), reportAsHtml(experiment, report));
    writeTextAside(path(experiment.name + ".json"), reportAsJson(experiment, report) + "\n");
}

std::size_t writeJoinedReport(const std::string& folder) {
    std::vector<std::string> pages;
    for (const Experiment& experiment : experiments()) {
        std::ifstream file(std::filesystem::path(folder) / (experiment.name + ".html"), std::ios::binary);
        if (file) {
            pages.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
    }
    if (!pages.empty()) {
        writeTextAside((std::filesystem::path(folder) / "report.html").string(), joinedHtml(pages));
    }
    return pages.size();
}

}  // namespace tof
