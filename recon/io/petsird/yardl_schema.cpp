// SPDX-License-Identifier: Apache-2.0
#include "recon/io/petsird/yardl_schema.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"

namespace tof {

namespace {

using nlohmann::json;

constexpr int kDeepest = 64;
constexpr std::size_t kMostTypes = 10'000;
constexpr std::uint64_t kMostItems = std::uint64_t{1} << 40U;

constexpr std::pair<const char*, YardlKind> kPrimitives[] = {
    {"bool", YardlKind::Byte},       {"uint8", YardlKind::Byte},      {"int8", YardlKind::SignedByte},
    {"uint16", YardlKind::Unsigned}, {"uint32", YardlKind::Unsigned}, {"uint64", YardlKind::Unsigned},
    {"size", YardlKind::Unsigned},   {"int16", YardlKind::Signed},    {"int32", YardlKind::Signed},
    {"int64", YardlKind::Signed},    {"date", YardlKind::Signed},     {"time", YardlKind::Signed},
    {"datetime", YardlKind::Signed}, {"float32", YardlKind::Float32}, {"float64", YardlKind::Float64},
    {"string", YardlKind::Text},
};

/// The name without that of its package.
std::string localName(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::string textOf(const json& object, const char* key) {
    return object.is_object() && object.contains(key) && object[key].is_string()
               ? object[key].get<std::string>()
               : std::string();
}

const json& listOf(const json& object, const char* key) {
    static const json kNone = json::array();
    return object.is_object() && object.contains(key) && object[key].is_array() ? object[key] : kNone;
}

}  // namespace

void YardlSchema::fail(const std::string& fault) const {
    throw BadInput("{}: its schema {}; write it again with the tools of its format", path_, fault);
}

YardlSchema::YardlSchema(std::string path, const std::string& text) : path_(std::move(path)), text_(text) {
    const json schema = parseJson(text, path_);
    const json protocol = schema.is_object() && schema.contains("protocol") ? schema["protocol"] : json();
    protocol_ = textOf(protocol, "name");
    for (const json& type : listOf(schema, "types")) {
        definitions_[textOf(type, "name")] = type;
    }
    for (const json& step : listOf(protocol, "sequence")) {
        const json type = step.is_object() && step.contains("type") ? step["type"] : json();
        const bool stream = type.is_object() && type.contains("stream") && type["stream"].is_object() &&
                            type["stream"].contains("items");
        steps_[textOf(step, "name")] = resolve(stream ? type["stream"]["items"] : type, {}, 0);
    }
}

bool YardlSchema::hasType(const std::string& beginning) const {
    const auto found = definitions_.lower_bound(beginning);
    return found != definitions_.end() && found->first.starts_with(beginning);
}

std::size_t YardlSchema::step(const std::string& name) const {
    const auto found = steps_.find(name);
    if (found == steps_.end()) {
        fail("has no '" + name + "'");
    }
    return found->second;
}

std::size_t YardlSchema::part(std::size_t index, const std::string& name) const {
    const YardlType& whole = types_[index];
    for (std::size_t i = 0; i < whole.names.size(); ++i) {
        if (whole.names[i] == name) {
            return whole.parts[i];
        }
    }
    fail("has no '" + name + "'");
}

std::size_t YardlSchema::add(YardlType type) {
    if (types_.size() >= kMostTypes) {
        fail("has too many types");
    }
    types_.push_back(std::move(type));
    return types_.size() - 1;
}

std::size_t YardlSchema::resolve(const json& type, const Arguments& arguments, int depth) {
    if (depth > kDeepest) {
        fail("has types that hold themselves");
    }
    if (type.is_string()) {
        return named(type.get<std::string>(), json::array(), arguments, depth);
    }
    if (type.is_array()) {
        return cases(type, arguments, depth);
    }
    if (type.is_object() && type.contains("vector") && type["vector"].is_object()) {
        const json& vector = type["vector"];
        const std::size_t items = resolve(vector.value("items", json()), arguments, depth + 1);
        const json length = vector.value("length", json());
        if (length.is_null()) {
            return add({YardlKind::Vector, {}, {items}});
        }
        if (!length.is_number_unsigned() || length.get<std::uint64_t>() == 0) {
            fail("has a vector of no length");
        }
        return add({YardlKind::Fixed, {}, {items}, length.get<std::uint64_t>()});
    }
    if (type.is_object() && type.contains("array") && type["array"].is_object()) {
        return array(type["array"], arguments, depth);
    }
    if (type.is_object() && type.contains("name")) {
        return named(textOf(type, "name"), listOf(type, "typeArguments"), arguments, depth);
    }
    fail("has a type that is not read: " + jsonText(type).substr(0, 60));
}

std::size_t YardlSchema::array(const json& array, const Arguments& arguments, int depth) {
    const std::size_t items = resolve(array.value("items", json()), arguments, depth + 1);
    const json dimensions = array.value("dimensions", json());
    if (dimensions.is_number_unsigned()) {
        return add({YardlKind::Array, {}, {items}, dimensions.get<std::uint64_t>()});
    }
    if (!dimensions.is_array()) {
        return add({YardlKind::Array, {}, {items}, 0});
    }
    std::uint64_t count = 1;
    for (const json& one : dimensions) {
        const json length = one.is_object() ? one.value("length", json()) : json();
        if (!length.is_number_unsigned()) {
            return add({YardlKind::Array, {}, {items}, dimensions.size()});
        }
        count = length.get<std::uint64_t>() > kMostItems / count ? 0 : count * length.get<std::uint64_t>();
        if (count == 0) {
            fail("has an array of no size");
        }
    }
    return add({YardlKind::Fixed, {}, {items}, count});
}

std::size_t YardlSchema::cases(const json& list, const Arguments& arguments, int depth) {
    YardlType all{YardlKind::Union};
    for (const json& one : list) {
        const bool tagged = one.is_object() && one.contains("tag") && one.contains("type");
        all.names.push_back(one.is_null() ? "" : tagged ? textOf(one, "tag") : "value");
        all.parts.push_back(one.is_null() ? 0 : resolve(tagged ? one["type"] : one, arguments, depth + 1));
    }
    return add(std::move(all));
}

std::size_t YardlSchema::named(const std::string& name, const json& arguments, const Arguments& outer,
                               int depth) {
    if (const auto parameter = outer.find(name); parameter != outer.end()) {
        return parameter->second;
    }
    for (const auto& [primitive, kind] : kPrimitives) {
        if (name == primitive) {
            return add({kind});
        }
    }
    const auto found = definitions_.find(localName(name));
    if (found == definitions_.end()) {
        fail("names the type '" + name + "', which is not read");
    }
    const json& parameters = listOf(found->second, "typeParameters");
    Arguments inner;
    std::string key = found->first;
    for (std::size_t i = 0; i < parameters.size() && i < arguments.size(); ++i) {
        const std::size_t argument = resolve(arguments[i], outer, depth + 1);
        inner[parameters[i].is_string() ? parameters[i].get<std::string>() : ""] = argument;
        key += " " + std::to_string(argument);
    }
    if (const auto known = known_.find(key); known != known_.end()) {
        return known->second;
    }
    const std::size_t index = defined(found->second, inner, depth);
    known_[key] = index;
    return index;
}

std::size_t YardlSchema::defined(const json& type, const Arguments& arguments, int depth) {
    if (type.contains("type")) {
        return resolve(type["type"], arguments, depth + 1);
    }
    if (type.contains("values")) {
        const std::string base = textOf(type, "base");
        return named(base.empty() ? "int32" : base, json::array(), {}, depth);
    }
    YardlType record{YardlKind::Record};
    for (const json& field : listOf(type, "fields")) {
        record.names.push_back(textOf(field, "name"));
        record.parts.push_back(
            resolve(field.is_object() ? field.value("type", json()) : json(), arguments, depth + 1));
    }
    if (record.parts.empty()) {
        fail("has a record without fields");
    }
    return add(std::move(record));
}

}  // namespace tof
