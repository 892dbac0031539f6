// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"

namespace tof {

namespace {

bool plain(const nlohmann::ordered_json& value) {
    return !value.is_structured();
}

std::string scalarText(const nlohmann::ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : jsonText(value);
}

std::string listText(const nlohmann::ordered_json& list) {
    std::string text;
    for (const auto& item : list) {
        text += (text.empty() ? "" : ", ") + scalarText(item);
    }
    return text;
}

void appendLines(const nlohmann::ordered_json& value, const std::string& indent, std::string& out) {
    for (const auto& [key, item] : value.items()) {
        const std::string head = value.is_array() ? indent + "-" : indent + key + ":";
        if (plain(item)) {
            out += fmt::format("{} {}\n", head, scalarText(item));
        } else if (item.is_array() && std::all_of(item.begin(), item.end(), plain)) {
            out += fmt::format("{} {}\n", head, listText(item));
        } else {
            out += head + "\n";
            appendLines(item, indent + "  ", out);
        }
    }
}

}  // namespace

std::string textTable(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                           : fmt::format("  {:>{}}", row[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += (out.empty() ? "" : "\n") + line;
    }
    return out;
}

std::string jsonAsLines(const std::string& json) {
    std::string out;
    appendLines(parseOrderedJson(json, "table"), "", out);
    if (!out.empty()) {
        out.pop_back();
    }
    return out;
}

}  // namespace tof
