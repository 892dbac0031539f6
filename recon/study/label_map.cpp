// SPDX-License-Identifier: Apache-2.0
#include "recon/study/label_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <sstream>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format/label_names.h"
#include "recon/io/format_table.h"
#include "recon/metrics/roi_place.h"

namespace tof {

namespace {

constexpr std::size_t kMostLabels = 32767;  // 16 bits

/// Tabs and line ends would shift the table.
std::string cell(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
}

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> out;
    std::istringstream in(line);
    for (std::string text; std::getline(in, text, '\t');) {
        if (!text.empty() && text.back() == '\r') {
            text.pop_back();
        }
        out.push_back(text);
    }
    return out;
}

double numberIn(const std::string& text, const std::string& where) {
    double value = 0;
    const char* const last = text.data() + text.size();
    if (const auto [end, fault] = std::from_chars(text.data(), last, value);
        fault != std::errc() || end != last) {
        throw BadInput(
            fmt::format("{}: '{}' is not a number; correct the table or take it away", where, text));
    }
    return value;
}

/// What a row says of its label; columns that are not there or "n/a" say nothing.
void readRow(Roi& roi, const std::map<std::string, std::string>& row, const std::string& where) {
    const auto text = [&](const char* column) {
        const auto found = row.find(column);
        return found == row.end() || found->second == "n/a" ? std::string() : found->second;
    };
    if (!text("name").empty()) {
        roi.name = text("name");
    }
    for (const Roi::Role role : {Roi::Role::Sphere, Roi::Role::Background, Roi::Role::Uniform}) {
        roi.role = text("role") == roleName(role) ? role : roi.role;
    }
    if (!text("group").empty()) {
        roi.group = static_cast<int>(std::clamp(numberIn(text("group"), where), -1.0, 1e6));
    }
    if (!text("true_ratio").empty()) {
        roi.trueRatio = std::clamp(numberIn(text("true_ratio"), where), 0.0, 1e9);
    }
    const std::string colour = text("colour");
    if (colour.size() == 7 && colour[0] == '#' &&
        colour.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos) {
        roi.colour = colour;
    }
}

void takeNames(std::vector<Roi>& rois, const std::vector<LabelName>& names) {
    for (Roi& roi : rois) {
        const auto label = std::find_if(names.begin(), names.end(), [&](const LabelName& one) {
            return roi.name == fmt::format("label {}", one.number);
        });
        if (label != names.end()) {
            roi.name = label->name.empty() ? roi.name : label->name;
            roi.colour = label->colour.empty() ? roi.colour : label->colour;
        }
    }
}

}  // namespace

std::string labelTablePath(const std::string& path) {
    std::filesystem::path table(path);
    if (table.extension() == ".gz") {
        table.replace_extension();
    }
    return table.replace_extension(".tsv").string();
}

void writeLabelMap(const Destination& to, const std::vector<Roi>& rois, const Lattice& lattice) {
    const std::string& path = to.path;
    if (rois.size() > kMostLabels) {
        throw WrongUse(fmt::format("{}: {} ROIs; a label map holds {}", path, rois.size(), kMostLabels));
    }
    writeVolume(to, labelsOfRois(rois, lattice));
    std::string text = "index\tname\trole\tgroup\ttrue_ratio\tcolour\n";
    for (std::size_t i = 0; i < rois.size(); ++i) {
        const Roi& roi = rois[i];
        const auto orNone = [](const std::string& value) {
            return value.empty() ? std::string("n/a") : value;
        };
        text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", i + 1, cell(roi.name), orNone(roleName(roi.role)),
                            roi.group >= 0 ? fmt::format("{}", roi.group) : "n/a",
                            roi.trueRatio ? fmt::format("{}", *roi.trueRatio) : "n/a", orNone(roi.colour));
    }
    writeTextAside(labelTablePath(path), text);
}

std::vector<Roi> readLabelMap(const std::string& path, std::function<void()> heed) {
    const RecognisedFile file = recognise(path, std::move(heed));
    std::vector<Roi> rois = roisFromLabels(file.readVolume(), path);
    if (const auto* const named = dynamic_cast<const NamesLabels*>(file.file())) {
        takeNames(rois, named->labelNames());
        return rois;
    }
    const std::string table = labelTablePath(path);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(table, ignored)) {
        return rois;
    }
    std::istringstream in(readTextFile(table));
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> columns = cells(line);
    if (std::find(columns.begin(), columns.end(), "index") == columns.end()) {
        return rois;  // some other table
    }
    for (int number = 2; std::getline(in, line); ++number) {
        const std::vector<std::string> values = cells(line);
        std::map<std::string, std::string> row;
        for (std::size_t c = 0; c < std::min(columns.size(), values.size()); ++c) {
            row[columns[c]] = values[c];
        }
        if (row["index"].empty()) {
            continue;
        }
        const std::string where = fmt::format("{}: line {}", table, number);
        const std::string label = fmt::format("label {}", numberIn(row["index"], where));
        const auto roi =
            std::find_if(rois.begin(), rois.end(), [&](const Roi& each) { return each.name == label; });
        if (roi != rois.end()) {
            readRow(*roi, row, where);
        }
    }
    return rois;
}

}  // namespace tof
