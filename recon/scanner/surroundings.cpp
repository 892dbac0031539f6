// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/surroundings.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/scanner/material_field.h"

namespace tof {

namespace {

using nlohmann::json;

constexpr std::array<const char*, 3> kParts{"cover", "shield", "bed"};
constexpr double kFarthest_mm = 10000;
constexpr std::size_t kMost = 6;
constexpr double kRounding_mm = 1e-6;

/// Two ascending numbers.
std::array<double, 2> readSpan(const JsonFields& fields, const char* field, double low, double high) {
    const json& value = fields.raw(field);
    const bool isPair = value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
    const std::array<double, 2> span =
        isPair ? std::array<double, 2>{value[0].get<double>(), value[1].get<double>()}
               : std::array<double, 2>{0, 0};
    if (!(span[0] >= low && span[0] < span[1] && span[1] <= high)) {
        throw BadInput("{}: field '{}' must be a list of 2 ascending numbers between {:g} and {:g}",
                       fields.source(), field, low, high);
    }
    return span;
}

void refuse(const JsonFields& fields, std::initializer_list<const char*> others, const std::string& part) {
    for (const char* const field : others) {
        if (fields.has(field)) {
            throw BadInput("{}: a {} has no '{}'; leave it out", fields.source(), part, field);
        }
    }
}

Surrounding readOne(const json& value, double crystals_mm, const std::string& source) {
    const JsonFields fields(
        value, source, {"part", "material", "mu_per_mm", "z_mm", "radius_mm", "width_mm", "thickness_mm"});
    const std::string name = fields.text("part");
    const auto found = std::find(kParts.begin(), kParts.end(), name);
    if (found == kParts.end()) {
        throw BadInput("{}: field 'part' is '{}'; give one of {}", source, name, fmt::join(kParts, ", "));
    }
    Surrounding one;
    one.part = static_cast<Surrounding::Part>(found - kParts.begin());
    one.material = readMaterial(fields);
    one.mu_per_mm = fields.number("mu_per_mm", 1e-6, 10);
    one.z_mm = readSpan(fields, "z_mm", -kFarthest_mm, kFarthest_mm);
    if (one.part == Surrounding::Part::Bed) {
        refuse(fields, {"radius_mm"}, name);
        one.width_mm = fields.number("width_mm", 1, kFarthest_mm);
        one.thickness_mm = fields.number("thickness_mm", 1e-3, kFarthest_mm);
        return one;
    }
    refuse(fields, {"width_mm", "thickness_mm"}, name);
    one.radius_mm = readSpan(fields, "radius_mm", 0, kFarthest_mm);
    if (one.radius_mm[1] > crystals_mm + kRounding_mm) {
        throw BadInput(
            "{}: field 'radius_mm' ends at {:g} mm from the axis; it must end where crystals begin, at {:g}",
            source, one.radius_mm[1], crystals_mm);
    }
    return one;
}

}  // namespace

std::vector<Surrounding> readSurroundings(const json& value, double crystals_mm, const std::string& source) {
    if (!value.is_array() || value.size() > kMost) {
        throw BadInput("{}: field 'surroundings' must be a list of at most {} solids", source, kMost);
    }
    std::vector<Surrounding> all;
    for (const json& one : value) {
        all.push_back(readOne(one, crystals_mm, fmt::format("{}, surroundings {}", source, all.size())));
    }
    return all;
}

}  // namespace tof
