// SPDX-License-Identifier: Apache-2.0
#include "app/experiment/html_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "app/pictures/pictures.h"
#include "recon/figure/markup.h"

namespace tof {

namespace {

constexpr const char* kHead =
    "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{}</title>\n<style>\n"
    "body{{font:15px/1.45 sans-serif;max-width:66em;margin:2em auto;padding:0 1em;color:#222}}\n"
    "table{{border-collapse:collapse;margin:.8em 0}}td,th{{border:1px solid #ccc;padding:.25em .6em;"
    "text-align:left;vertical-align:top}}\n"
    ".passed{{color:#00693e;font-weight:bold}}.failed{{color:#b00020;font-weight:bold}}"
    ".skipped{{color:#666;font-weight:bold}}\n"
    "figure{{margin:1em 0}}figcaption{{color:#444}}img,svg{{max-width:100%;height:auto}}"
    "small{{color:#555}}\n</style></head><body>\n";

std::string number(double value) {
    if (!std::isfinite(value)) {
        return "&ndash;";
    }
    constexpr double kWhole = 1e9;  // numbers of things are printed whole
    return value == std::round(value) && std::abs(value) < kWhole ? fmt::format("{:.0f}", value)
                                                                  : fmt::format("{:.4g}", value);
}

std::string verdictCell(Verdict verdict) {
    return fmt::format("<span class='{0}'>{0}</span>", verdictName(verdict));
}

std::string checksTable(const std::vector<Check>& checks) {
    std::string out = "<table><tr><th>check</th><th>condition</th><th>value</th><th></th></tr>\n";
    for (const Check& check : checks) {
        const std::string& why = check.missing.empty() ? check.remark : check.missing;
        out += fmt::format(
            "<tr><td>{}<br><small>{}</small></td><td>{}</td><td>{} {}</td><td>{}{}</td></tr>\n",
            markupText(check.name), markupText(check.source), markupText(check.condition()),
            number(check.value), std::isfinite(check.value) ? markupText(check.unit) : "",
            verdictCell(check.verdict()), why.empty() ? "" : "<br><small>" + markupText(why) + "</small>");
    }
    return out + "</table>\n";
}

std::string comparisonsTable(const std::vector<Comparison>& comparisons) {
    std::string out = "<table><tr><th></th><th>paper</th><th>here</th></tr>\n";
    for (const Comparison& c : comparisons) {
        out += fmt::format("<tr><td>{}</td><td>{}</td><td>{} {}{}</td></tr>\n", markupText(c.quantity),
                           c.paper.empty() ? "&ndash;" : markupText(c.paper), number(c.ours),
                           std::isfinite(c.ours) ? markupText(c.unit) : "",
                           c.remark.empty() ? "" : "<br><small>" + markupText(c.remark) + "</small>");
    }
    return out + "</table>\n";
}

/// The data, where a person would read them.
std::string dataTable(const DataTable& data) {
    constexpr std::size_t kReadable = 40;
    if (data.rows.empty() || data.rows.size() > kReadable) {
        return {};
    }
    std::string out = "<table><tr>";
    for (const std::string& column : data.columns) {
        out += "<th>" + markupText(column) + "</th>";
    }
    for (const auto& row : data.rows) {
        out += "</tr>\n<tr>";
        for (const DataTable::Cell& cell : row) {
            const auto* const value = std::get_if<double>(&cell);
            out += "<td>" + (value != nullptr ? number(*value) : markupText(std::get<std::string>(cell))) +
                   "</td>";
        }
    }
    return out + "</tr></table>\n";
}

std::string figure(const Experiment& experiment, const ExperimentPicture& picture, std::size_t room) {
    const std::string bytes = pictureBytes(picture.shown);
    const bool curves = std::holds_alternative<LineChart>(picture.shown);
    std::string shown =
        curves ? bytes : fmt::format("<img alt='' src='data:image/png;base64,{}'>", base64(bytes));
    if (shown.size() > room) {
        shown = fmt::format("<p>{}-{} is too large for this page.</p>", experiment.name, picture.file);
    }
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", shown,
                       markupText(picture.caption));
}

std::string madeText(const ExperimentReport& report) {
    const Provenance& made = report.made;
    std::string out = fmt::format(
        "<p><small>{} UTC, tofscope {}, {}, size {}, {:.1f} s; seeds: {}.", made.date, made.version,
        markupText(made.machine), made.size, made.seconds,
        report.seeds.empty() ? std::string("none drawn") : fmt::format("{}", fmt::join(report.seeds, ", ")));
    for (const auto& [name, device] : made.engines) {
        out += fmt::format("<br>{}: {}", markupText(name), markupText(device));
    }
    return out + "</small></p>\n";
}

std::string section(const Experiment& experiment, const ExperimentReport& report, std::size_t room) {
    std::string out = fmt::format("<h2 id='{0}'>{0} {1}</h2>\n<p>{2}: {3}.</p>\n", experiment.name,
                                  verdictCell(report.verdict()), markupText(experiment.source),
                                  markupText(experiment.about));
    if (!report.skipped.empty()) {
        out += fmt::format("<p>Skipped: {}</p>\n", markupText(report.skipped));
    }
    out += report.conditions.empty() ? "" : "<p>" + markupText(report.conditions) + "</p>\n";
    out += report.checks.empty() ? "" : checksTable(report.checks);
    for (const ExperimentPicture& picture : report.pictures) {
        out += figure(experiment, picture, room > out.size() ? room - out.size() : 0);
    }
    out += report.comparisons.empty() ? "" : comparisonsTable(report.comparisons);
    out += dataTable(report.data);
    for (const std::string& note : report.notes) {
        out += "<p>" + markupText(note) + "</p>\n";
    }
    return out + madeText(report);
}

std::string verdictRow(const Experiment& experiment, const ExperimentReport& report) {
    std::array<std::size_t, 3> counts{};
    for (const Check& check : report.checks) {
        ++counts[static_cast<std::size_t>(check.verdict())];
    }
    return fmt::format(
        "<tr><td><a href='#{0}'>{0}</a></td><td>{1}</td><td>{2}</td><td>{3}, {4}, {5}</td>"
        "<td>{6}, {7:.1f} s</td></tr>",
        experiment.name, markupText(experiment.source), verdictCell(report.verdict()), counts[0], counts[1],
        counts[2], report.made.size, report.made.seconds);
}

/// Rows of the checks that failed, with why.
std::string redRows(const Experiment& experiment, const ExperimentReport& report) {
    std::string out;
    for (const Check& check : report.checks) {
        if (check.verdict() == Verdict::Failed) {
            out += fmt::format(
                "<tr><td><a href='#{0}'>{0}</a></td><td>{1}</td><td>{2}</td><td>{3} "
                "{4}</td><td>{5}</td></tr>",
                experiment.name, markupText(check.name), markupText(check.condition()), number(check.value),
                std::isfinite(check.value) ? markupText(check.unit) : "", markupText(check.remark));
        }
    }
    return out;
}

// What joinedHtml() looks for in a page. All text between them is escaped, so none of it ends them.
constexpr const char* kRow = "<!--row:";
constexpr const char* kRed = "<!--red:";
constexpr const char* kRowEnd = "-->\n";
constexpr const char* kSection = "<!--section-->\n";
constexpr const char* kSectionEnd = "<!--end-->\n";

/// What lies between two marks; empty where they are not there.
std::string between(const std::string& page, const std::string& begin, const std::string& end) {
    const std::size_t from = page.find(begin);
    const std::size_t to = from == std::string::npos ? from : page.find(end, from);
    return to == std::string::npos ? std::string()
                                   : page.substr(from + begin.size(), to - from - begin.size());
}

std::string withoutFigures(std::string text) {
    const std::string end = "</figure>\n";
    for (std::size_t from = text.find("<figure>"); from != std::string::npos; from = text.find("<figure>")) {
        const std::size_t to = text.find(end, from);
        if (to == std::string::npos) {
            break;
        }
        text.erase(from, to + end.size() - from);
    }
    return text + "<p>Its pictures are too large for this page.</p>\n";
}

}  // namespace

std::string reportAsHtml(const Experiment& experiment, const ExperimentReport& report) {
    constexpr std::size_t kText = 2'000'000;  // for what is not pictures
    return fmt::format(fmt::runtime(kHead), experiment.name) + kRow + verdictRow(experiment, report) +
           kRowEnd + kRed + redRows(experiment, report) + kRowEnd + kSection +
           section(experiment, report, kLargestPage - kText) + kSectionEnd + "</body></html>\n";
}

std::string joinedHtml(const std::vector<std::string>& pages) {
    constexpr std::size_t kText = 2'000'000;
    std::string rows;
    std::string red;
    std::string sections;
    for (const std::string& page : pages) {
        const std::string row = between(page, kRow, kRowEnd);
        if (row.empty()) {
            continue;
        }
        const std::string text = between(page, kSection, kSectionEnd);
        rows += row + "\n";
        red += between(page, kRed, kRowEnd);
        sections += sections.size() + text.size() + kText > kLargestPage ? withoutFigures(text) : text;
    }
    return fmt::format(fmt::runtime(kHead), "Experiments") +
           "<h1>The papers, made again</h1>\n<table><tr><th>experiment</th><th>of</th><th></th>"
           "<th>checks passed, failed, skipped</th><th>size, time</th></tr>\n" +
           rows + "</table>\n" +
           (red.empty() ? std::string("<p>Every check that was looked at passed.</p>\n")
                        : "<h2>What failed, and why</h2>\n<table><tr><th>experiment</th><th>check</th>"
                          "<th>condition</th><th>value</th><th>why</th></tr>\n" +
                              red + "</table>\n") +
           sections + "</body></html>\n";
}

}  // namespace tof
