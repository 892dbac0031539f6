// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/surrounding_solids.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/scanner/scanner_surroundings.h"

namespace tof {

namespace {

using nlohmann::ordered_json;

constexpr const char* kBedName = "bed";

MediumTube tubeOf(const Surrounding& from) {
    MediumTube tube;
    tube.outer.kind = MediumSolid::Kind::Cylinder;
    tube.outer.material = static_cast<std::int32_t>(from.material);
    tube.outer.centre = Vec3{0, 0, 0.5 * (from.z_mm[0] + from.z_mm[1])};
    tube.outer.half = Vec3{from.radius_mm[1], from.radius_mm[1], 0.5 * (from.z_mm[1] - from.z_mm[0])};
    tube.outer.radius2 = static_cast<Real>(from.radius_mm[1] * from.radius_mm[1]);
    tube.outer.scale = static_cast<Real>(from.mu_per_mm / attenuationAt511(from.material));
    tube.innerRadius2 = static_cast<Real>(from.radius_mm[0] * from.radius_mm[0]);
    return tube;
}

/// The largest y, towards the floor, of what attenuates.
std::optional<double> lowestPoint(const Phantom& phantom) {
    std::optional<double> lowest;
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.mu_per_mm > 0 && shape.kind != PhantomShape::Kind::Point) {
            const double y = shape.centre.y + shape.halfExtent().y;
            lowest = std::max(lowest.value_or(y), y);
        }
    }
    return lowest;
}

ordered_json shapeOf(const PhantomShape& bed) {
    return {{"kind", "box"},
            {"name", bed.name},
            {"centre_mm", {bed.centre.x, bed.centre.y, bed.centre.z}},
            {"size_mm", {bed.size_mm.x, bed.size_mm.y, bed.size_mm.z}},
            {"mu_per_mm", bed.mu_per_mm},
            {"material", nameOf(*bed.material)}};
}

}  // namespace

std::vector<MediumTube> tubesAround(const Scanner& scanner, const Physics& physics) {
    std::vector<MediumTube> tubes;
    for (const Surrounding& one : physics.scatter ? surroundingsOf(scanner) : std::vector<Surrounding>()) {
        const bool wanted = (one.part == Surrounding::Part::Cover && physics.covers) ||
                            (one.part == Surrounding::Part::Shield && physics.shields);
        if (wanted) {
            tubes.push_back(tubeOf(one));
        }
    }
    return tubes;
}

Phantom onBed(const Phantom& phantom, const Scanner& scanner, const Physics& physics) {
    const std::optional<double> lowest = lowestPoint(phantom);
    Phantom result = phantom;
    if (!physics.scatter || !physics.bed || !lowest || phantom.attenuation) {
        return result;
    }
    for (const Surrounding& one : surroundingsOf(scanner)) {
        if (one.part != Surrounding::Part::Bed) {
            continue;
        }
        PhantomShape bed;
        bed.kind = PhantomShape::Kind::Box;
        bed.name = kBedName;
        bed.centre = {0, *lowest + 0.5 * one.thickness_mm, 0.5 * (one.z_mm[0] + one.z_mm[1])};
        bed.size_mm = {one.width_mm, one.thickness_mm, one.z_mm[1] - one.z_mm[0]};
        bed.mu_per_mm = one.mu_per_mm;
        bed.material = one.material;
        result.shapes.insert(result.shapes.begin(), bed);
        ordered_json root = tryOrderedJson(result.description);
        if (root.is_object() && root.contains("shapes") && root["shapes"].is_array()) {
            root["shapes"].insert(root["shapes"].begin(), shapeOf(bed));
            result.description = jsonText(root);
        }
    }
    return result;
}

}  // namespace tof
