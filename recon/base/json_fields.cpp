// SPDX-License-Identifier: Apache-2.0
#include "recon/base/json_fields.h"

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/base/suggestion.h"

namespace tof {

namespace {

constexpr int kDeepest = 64;

/// Where lists and objects begin to lie too deep in each other; npos: nowhere.
std::size_t tooDeep(const std::string& text) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            i += c == '\\' ? 1 : 0;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kDeepest) {
                return i;
            }
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return std::string::npos;
}

template <class Json>
Json parseAs(const std::string& text, const std::string& source) {
    if (const std::size_t at = tooDeep(text); at != std::string::npos) {
        throw BadInput(
            "{}: lists and objects lie more than {} deep in each other at byte {}; make them flatter", source,
            kDeepest, at);
    }
    try {
        return Json::parse(text);
    } catch (const nlohmann::json::parse_error& fault) {
        throw BadInput("{}: not valid JSON near byte {}; check brackets, commas and quotes there", source,
                       fault.byte);
    } catch (const nlohmann::json::exception&) {  // a number beyond the range of double
        throw BadInput("{}: holds a number too large to read; correct it", source);
    }
}

template <class Json>
Json tryAs(const std::string& text) {
    try {
        return tooDeep(text) == std::string::npos ? Json::parse(text, nullptr, false)
                                                  : Json(Json::value_t::discarded);
    } catch (const nlohmann::json::exception&) {  // a number beyond the range of double
        return Json(Json::value_t::discarded);
    }
}

}  // namespace

nlohmann::json parseJson(const std::string& text, const std::string& source) {
    return parseAs<nlohmann::json>(text, source);
}
nlohmann::ordered_json parseOrderedJson(const std::string& text, const std::string& source) {
    return parseAs<nlohmann::ordered_json>(text, source);
}
nlohmann::json tryJson(const std::string& text) {
    return tryAs<nlohmann::json>(text);
}
nlohmann::ordered_json tryOrderedJson(const std::string& text) {
    return tryAs<nlohmann::ordered_json>(text);
}

JsonFields::JsonFields(const nlohmann::json& value, std::string source,
                       std::initializer_list<const char*> known)
    : value_(value), source_(std::move(source)) {
    if (!value_.is_object()) {
        throw BadInput("{}: expected an object in braces", source_);
    }
    const std::vector<std::string> names(known.begin(), known.end());
    for (const auto& item : value_.items()) {
        if (std::find(names.begin(), names.end(), item.key()) == names.end()) {
            throw BadInput("{}: unknown field '{}'{}", source_, item.key(), suggestion(item.key(), names));
        }
    }
}

bool JsonFields::has(const char* key) const {
    const auto it = value_.find(key);
    return it != value_.end() && !it->is_null();
}

const nlohmann::json& JsonFields::raw(const char* key) const {
    if (!has(key)) {
        throw BadInput("{}: field '{}' is missing", source_, key);
    }
    return value_.at(key);
}

double JsonFields::number(const char* key, double fallback, double low, double high) const {
    return has(key) ? number(key, low, high) : fallback;
}

double JsonFields::number(const char* key, double low, double high) const {
    const nlohmann::json& field = raw(key);
    if (!field.is_number()) {
        throw BadInput("{}: field '{}' must be a number", source_, key);
    }
    const double result = field.get<double>();
    if (!std::isfinite(result) || result < low || result > high) {
        throw BadInput("{}: field '{}' is {:g}; it must lie between {:g} and {:g}", source_, key, result, low,
                       high);
    }
    return result;
}

int JsonFields::integer(const char* key, int low, int high) const {
    const double result = number(key, low, high);
    if (result != std::floor(result)) {
        throw BadInput("{}: field '{}' must be a whole number", source_, key);
    }
    return static_cast<int>(result);
}

std::string JsonFields::text(const char* key) const {
    const nlohmann::json& field = raw(key);
    if (!field.is_string()) {
        throw BadInput("{}: field '{}' must be a text in quotes", source_, key);
    }
    return field.get<std::string>();
}

std::string JsonFields::text(const char* key, const std::string& fallback) const {
    return has(key) ? text(key) : fallback;
}

}  // namespace tof
