// SPDX-License-Identifier: Apache-2.0
// JSON that another version may have written, or that was damaged: nothing throws.
#pragma once

#include <QString>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "recon/base/json_fields.h"
#include "recon/base/vec3.h"

template <>
struct nlohmann::adl_serializer<QString> {
    static void to_json(nlohmann::json& json, const QString& text) { json = text.toStdString(); }
    static void from_json(const nlohmann::json& json, QString& text) {
        text = QString::fromStdString(json.get_ref<const std::string&>());
    }
};

template <>
struct nlohmann::adl_serializer<tof::Vec3> {
    static void to_json(nlohmann::json& json, const tof::Vec3& p) { json = {p.x, p.y, p.z}; }
    static void from_json(const nlohmann::json& json, tof::Vec3& p) {
        p = {json.at(0), json.at(1), json.at(2)};
    }
};

namespace tof::ui {

/// Null where the text is no JSON.
[[nodiscard]] inline nlohmann::json parsedJson(const std::string& text) {
    nlohmann::json json = tryJson(text);
    return json.is_discarded() ? nlohmann::json() : json;
}

/// A field of an object; `otherwise` where it is missing or of another kind.
template <typename Value = nlohmann::json>
[[nodiscard]] Value savedIn(const nlohmann::json& object, const std::string& key, Value otherwise = {}) try {
    const nlohmann::json& field = object.at(key);
    if constexpr (std::is_same_v<Value, int>) {
        const double number = field.get<double>();
        const bool whole =
            number == std::floor(number) && std::abs(number) <= std::numeric_limits<int>::max();
        return whole ? static_cast<int>(number) : otherwise;
    } else {
        return field.get<Value>();
    }
} catch (const nlohmann::json::exception&) {
    return otherwise;
}

}  // namespace tof::ui
