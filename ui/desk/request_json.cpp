// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/request_json.h"

#include <QStringList>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "ui/kit/json.h"

namespace tof::ui {

namespace {

std::string savedKey(const RowInfo& row) {
    std::string key = row.saved.empty() ? row.key : row.saved;
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
}

bool isList(const RowInfo& row) {
    return row.role == TextRole::Files || row.role == TextRole::Sizes;
}

nlohmann::json listToJson(const RowInfo& row, const std::string& value) {
    nlohmann::json all = nlohmann::json::array();
    const char separator = row.role == TextRole::Files ? ',' : 'x';
    for (const QString& part : QString::fromStdString(value).split(separator)) {
        all.push_back(row.role == TextRole::Sizes ? nlohmann::json(part.toInt()) : nlohmann::json(part));
    }
    return all;
}

nlohmann::json valueToJson(const RowInfo& row, const std::string& value) {
    if (isList(row)) {
        return listToJson(row, value);
    }
    if (value == "yes" || value == "on") {
        return true;
    }
    if (value == "no" || value == "off") {
        return false;
    }
    if (row.kind == OptionKind::Integer) {
        return numberFrom<std::int64_t>(value).value();
    }
    return row.kind == OptionKind::Number ? nlohmann::json(numberFrom<double>(value).value())
                                          : nlohmann::json(value);
}

/// Text as rows take it; a row of two words has "yes" for true.
std::string valueFromJson(const RowInfo& row, const nlohmann::json& saved) {
    if (isList(row)) {
        QStringList all;
        for (const nlohmann::json& part : saved) {
            all << (part.is_string() ? part.get<QString>() : QString::fromStdString(jsonText(part)));
        }
        return all.join(row.role == TextRole::Files ? ',' : 'x').toStdString();
    }
    if (saved.is_boolean()) {
        const bool words = row.kind != OptionKind::Switch;
        return saved.get<bool>() ? (words ? "yes" : "on") : (words ? "no" : "off");
    }
    return saved.is_string() ? saved.get<std::string>() : jsonText(saved);
}

}  // namespace

nlohmann::json rowsToJson(const std::vector<BoundRow>& rows) {
    nlohmann::json saved = nlohmann::json::object();
    for (const BoundRow& row : rows) {
        const std::string value = row.read();
        if (value != row.fallback) {
            saved[savedKey(row)] = valueToJson(row, value);
        }
    }
    return saved;
}

void rowsFromJson(const std::vector<BoundRow>& rows, const nlohmann::json& saved) {
    for (const BoundRow& row : rows) {
        const auto found = saved.is_object() ? saved.find(savedKey(row)) : saved.end();
        if (found == saved.end()) {
            continue;
        }
        const std::string value = valueFromJson(row, *found);
        try {
            // Limits are those of fields: what was saved may have come from elsewhere.
            const std::optional<Refusal> refusal = refusalOf(row, value);
            if (!refusal || refusal == Refusal::OutOfRange) {
                row.write(value);
            }
        } catch (const Error&) {
            // as if it were not there
        }
    }
}

}  // namespace tof::ui
