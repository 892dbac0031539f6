// SPDX-License-Identifier: Apache-2.0
// Phantoms of descriptions in JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/suggestion.h"
#include "recon/phantom/phantom.h"
#include "recon/phantom/phantom_course.h"

namespace tof {

namespace {

using nlohmann::json;
using Kind = PhantomShape::Kind;

/// Whether a description has a course.
enum class InTime { No, Yes };

constexpr double kMaxLength_mm = 10000;
constexpr std::size_t kMaxShapes = 100'000;

Vec3 readVec3(const JsonFields& fields, const char* key, double low, double high) {
    const json& value = fields.raw(key);
    std::array<double, 3> n{};
    const bool shaped = value.is_array() && value.size() == n.size();
    for (std::size_t i = 0; i < n.size(); ++i) {
        n[i] = shaped && value[i].is_number() ? value[i].get<double>() : std::nan("");
        if (!(n[i] >= low && n[i] <= high)) {
            throw BadInput("{}: field '{}' must be three numbers between {:g} and {:g}", fields.source(), key,
                           low, high);
        }
    }
    return {n[0], n[1], n[2]};
}

Kind readKind(const JsonFields& fields) {
    const std::string kind = fields.text("kind");
    const std::vector<std::string> names{"cylinder", "sphere", "box", "point"};
    const auto found = std::find(names.begin(), names.end(), kind);
    if (found == names.end()) {
        throw BadInput("{}: unknown kind '{}'{}; known: {}", fields.source(), kind, suggestion(kind, names),
                       fmt::join(names, ", "));
    }
    return static_cast<Kind>(found - names.begin());
}

std::string readRole(const JsonFields& fields) {
    std::string role = fields.text("role", "");
    if (!role.empty() && role != "sphere" && role != "background" && role != "uniform") {
        throw BadInput("{}: field 'role' is '{}'; it must be sphere, background or uniform", fields.source(),
                       role);
    }
    return role;
}

std::optional<Material> readMaterial(const JsonFields& fields) {
    if (!fields.has("material")) {
        return std::nullopt;
    }
    try {
        return materialNamed(fields.text("material"));
    } catch (const WrongUse& fault) {
        throw BadInput("{}: field 'material': {}", fields.source(), fault.what());
    }
}

/// What a shape does in time stands in the course, which must be there.
void requireCourse(const JsonFields& fields, InTime inTime) {
    for (const char* key : {"curve", "moves"}) {
        if (fields.has(key) && inTime == InTime::No) {
            throw BadInput("{}: field '{}' needs the phantom's field 'time'; add it, or leave '{}' out",
                           fields.source(), key, key);
        }
    }
    static_cast<void>(fields.text("curve", ""));
    static_cast<void>(fields.number("moves", 0, -10, 10));
}

PhantomShape readShape(const json& value, const std::string& source, InTime inTime) {
    const JsonFields fields(value, source,
                            {"kind", "name", "role", "centre_mm", "radius_mm", "length_mm", "size_mm",
                             "activity", "mu_per_mm", "material", "curve", "moves"});
    PhantomShape shape;
    requireCourse(fields, inTime);
    shape.kind = readKind(fields);
    shape.name = fields.text("name", "");
    shape.role = readRole(fields);
    shape.centre = readVec3(fields, "centre_mm", -kMaxLength_mm, kMaxLength_mm);
    if (shape.kind == Kind::Cylinder || shape.kind == Kind::Sphere) {
        shape.radius_mm = fields.number("radius_mm", 1e-3, kMaxLength_mm);
    }
    if (shape.kind == Kind::Cylinder) {
        shape.size_mm.z = fields.number("length_mm", 1e-3, kMaxLength_mm);
    }
    if (shape.kind == Kind::Box) {
        shape.size_mm = readVec3(fields, "size_mm", 1e-3, kMaxLength_mm);
    }
    shape.activity = fields.number("activity", fields.has("curve") ? 1 : 0, 0, 1e30);
    shape.material = readMaterial(fields);
    shape.mu_per_mm =
        fields.number("mu_per_mm", shape.material ? attenuationAt511(*shape.material) : 0, 0, 10);
    return shape;
}

}  // namespace

Phantom Phantom::fromJson(const std::string& text, const std::string& source) {
    const json root = parseJson(text, source);
    const JsonFields fields(root, source, {"name", "about", "shapes", "time"});
    Phantom phantom;
    phantom.name = fields.text("name");
    phantom.description = text;
    const InTime inTime = fields.has("time") ? InTime::Yes : InTime::No;
    const json& shapes = fields.raw("shapes");
    if (!shapes.is_array() || shapes.empty() || shapes.size() > kMaxShapes) {
        throw BadInput("{}: field 'shapes' must be a list of 1 to {} shapes", source, kMaxShapes);
    }
    for (const json& shape : shapes) {
        phantom.shapes.push_back(
            readShape(shape, fmt::format("{}, shape {}", source, phantom.shapes.size()), inTime));
    }
    if (inTime == InTime::Yes) {
        const std::vector<double> means = PhantomCourse(root, phantom.shapes, source).meanActivities();
        for (std::size_t i = 0; i < means.size(); ++i) {
            phantom.shapes[i].activity = means[i];
        }
    }
    return phantom;
}

}  // namespace tof
