// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/metrics/roi.h"

namespace tof {

namespace {

template <std::size_t N>
std::size_t indexOf(const std::array<const char*, N>& names, const std::string& name, const char* field,
                    const std::string& source) {
    for (std::size_t i = 0; i < N; ++i) {
        if (name == names[i]) {
            return i;
        }
    }
    throw BadInput("{}: field '{}' is '{}'; it must be one of: {}", source, field, name,
                   fmt::join(names, ", "));
}

constexpr std::array<const char*, 8> kShapes{"circle", "annulus",  "ellipse", "polygon",
                                             "sphere", "cylinder", "box",     "region"};
constexpr std::array<const char*, 4> kRoles{"", "sphere", "background", "uniform"};
constexpr std::array<const char*, 3> kPlanes{"transverse", "coronal", "sagittal"};
constexpr std::array<const char*, 4> kDashes{"", "solid", "dashed", "dotted"};
constexpr std::size_t kMostVoxels = std::size_t{1} << 26U;  // the most voxels of a region
constexpr double kFar_mm = 1e5;

Vec3 readPoint(const nlohmann::json& value, const std::string& source, const char* field) {
    const bool good =
        value.is_array() && value.size() == 3 && std::all_of(value.begin(), value.end(), [](const auto& v) {
            return v.is_number() && std::abs(v.template get<double>()) <= kFar_mm;
        });
    if (!good) {
        throw BadInput("{}: field '{}' must be three numbers in mm", source, field);
    }
    return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

/// {"size": [x, y, z], "spacing_mm": [...], "origin_mm": [...]} and [[first, count], ...].
std::shared_ptr<const RoiRegion> readRegion(const JsonFields& fields, const std::string& source) {
    const JsonFields grid(fields.raw("lattice"), source, {"size", "spacing_mm", "origin_mm"});
    const Vec3 size = readPoint(grid.raw("size"), source, "size");
    const Vec3 spacing = readPoint(grid.raw("spacing_mm"), source, "spacing_mm");
    Lattice lattice;
    try {
        lattice =
            Lattice::centred({static_cast<int>(size.x), static_cast<int>(size.y), static_cast<int>(size.z)},
                             {spacing.x, spacing.y, spacing.z});
    } catch (const WrongUse& fault) {
        throw BadInput("{}: field 'lattice': {}", source, fault.what());
    }
    lattice.origin_mm = readPoint(grid.raw("origin_mm"), source, "origin_mm");
    std::vector<std::size_t> voxels;
    const nlohmann::json& runs = fields.raw("runs");
    const auto fail = [&] {
        throw BadInput(
            "{}: field 'runs' must be pairs [first voxel, count], ascending and inside the lattice", source);
    };
    if (!runs.is_array() || runs.empty()) {
        fail();
    }
    for (const auto& run : runs) {
        if (!run.is_array() || run.size() != 2 || !run[0].is_number_unsigned() ||
            !run[1].is_number_unsigned()) {
            fail();
        }
        const auto first = run[0].get<std::size_t>();
        const auto count = run[1].get<std::size_t>();
        if (first >= lattice.voxels() || count == 0 || count > lattice.voxels() - first ||
            (!voxels.empty() && first <= voxels.back()) || voxels.size() + count > kMostVoxels) {
            fail();
        }
        for (std::size_t i = first; i < first + count; ++i) {
            voxels.push_back(i);
        }
    }
    return RoiRegion::ofVoxels(lattice, voxels);
}

void readLooks(Roi& roi, const JsonFields& fields, const std::string& source) {
    roi.dash = static_cast<Roi::Dash>(indexOf(kDashes, fields.text("dash", ""), "dash", source));
    roi.colour = fields.text("colour", "");
    const bool hex = roi.colour.size() == 7 && roi.colour[0] == '#' &&
                     roi.colour.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
    if (!roi.colour.empty() && !hex) {
        throw BadInput("{}: field 'colour' is '{}'; it must be like #62b4f0", source, roi.colour);
    }
    if (fields.has("locked")) {
        if (!fields.raw("locked").is_boolean()) {
            throw BadInput("{}: field 'locked' must be true or false", source);
        }
        roi.locked = fields.raw("locked").get<bool>();
    }
}

}  // namespace

const char* shapeName(Roi::Shape shape) {
    return kShapes[static_cast<std::size_t>(shape)];
}

const char* roleName(Roi::Role role) {
    return kRoles[static_cast<std::size_t>(role)];
}

std::vector<Roi> roisFromJson(const std::string& text, const std::string& source) {
    const nlohmann::json root = parseJson(text, source);
    const nlohmann::json& list = root.is_object() && root.contains("rois") ? root.at("rois") : root;
    if (!list.is_array()) {
        throw BadInput("{}: expected a list of ROIs, or an object with a list 'rois'", source);
    }
    std::vector<Roi> rois;
    for (const auto& item : list) {
        const JsonFields fields(
            item, source,
            {"name", "shape", "role", "plane", "centre_mm", "radius_mm", "inner_radius_mm", "size_mm",
             "angle_deg", "vertices", "group", "true_ratio", "colour", "dash", "locked", "lattice", "runs"});
        Roi roi;
        roi.name = fields.text("name", fmt::format("ROI {}", rois.size() + 1));
        roi.shape = static_cast<Roi::Shape>(indexOf(kShapes, fields.text("shape"), "shape", source));
        roi.role = static_cast<Roi::Role>(indexOf(kRoles, fields.text("role", ""), "role", source));
        roi.plane = static_cast<Plane>(indexOf(kPlanes, fields.text("plane", "transverse"), "plane", source));
        roi.radius_mm = fields.number("radius_mm", 0, 0, kFar_mm);
        roi.innerRadius_mm = fields.number("inner_radius_mm", 0, 0, kFar_mm);
        roi.angle_deg = fields.number("angle_deg", 0, -360, 360);
        roi.group = fields.has("group") ? fields.integer("group", -1, 1000000) : -1;
        if (fields.has("size_mm")) {
            roi.size_mm = readPoint(fields.raw("size_mm"), source, "size_mm");
        }
        if (fields.has("vertices")) {
            for (const auto& vertex : fields.raw("vertices")) {
                roi.vertices.push_back(readPoint(vertex, source, "vertices"));
            }
        }
        if (fields.has("true_ratio")) {
            roi.trueRatio = fields.number("true_ratio", 0, 1e9);
        }
        readLooks(roi, fields, source);
        if (roi.shape == Roi::Shape::Region) {
            roi.region = readRegion(fields, source);
        }
        const bool placed = roi.shape != Roi::Shape::Polygon && roi.shape != Roi::Shape::Region;
        if (fields.has("centre_mm") || placed) {
            roi.centre = readPoint(fields.raw("centre_mm"), source, "centre_mm");
        } else if (roi.region != nullptr) {
            roi.centre = roi.region->home_mm;
        } else if (!roi.vertices.empty()) {
            roi.centre = roi.vertices.front();
        }
        if (const std::string fault = roiFault(roi); !fault.empty()) {
            throw BadInput("{}: ROI '{}': {}", source, roi.name, fault);
        }
        rois.push_back(std::move(roi));
    }
    return rois;
}

std::string roisToJson(const std::vector<Roi>& rois) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    const auto point = [](Vec3 v) { return nlohmann::ordered_json{v.x, v.y, v.z}; };
    for (const Roi& roi : rois) {
        nlohmann::ordered_json item{{"name", roi.name},
                                    {"shape", kShapes[static_cast<std::size_t>(roi.shape)]},
                                    {"role", kRoles[static_cast<std::size_t>(roi.role)]},
                                    {"plane", kPlanes[static_cast<std::size_t>(roi.plane)]},
                                    {"centre_mm", point(roi.centre)}};
        const auto put = [&item](const char* key, bool told, const auto& value) {
            if (told) {
                item[key] = value;
            }
        };
        put("radius_mm", roi.radius_mm > 0, roi.radius_mm);
        put("inner_radius_mm", roi.innerRadius_mm > 0, roi.innerRadius_mm);
        put("size_mm", roi.size_mm.x > 0 || roi.size_mm.y > 0 || roi.size_mm.z > 0, point(roi.size_mm));
        put("angle_deg", roi.angle_deg != 0, roi.angle_deg);
        for (const Vec3 vertex : roi.vertices) {
            item["vertices"].push_back(point(vertex));
        }
        put("group", roi.group >= 0, roi.group);
        put("true_ratio", roi.trueRatio.has_value(), roi.trueRatio.value_or(0));
        put("colour", !roi.colour.empty(), roi.colour);
        put("dash", roi.dash != Roi::Dash::ByRole, kDashes[static_cast<std::size_t>(roi.dash)]);
        put("locked", roi.locked, true);
        if (roi.region != nullptr) {
            const Lattice& grid = roi.region->lattice;
            item["lattice"] = {
                {"size", grid.size}, {"spacing_mm", grid.spacing_mm}, {"origin_mm", point(grid.origin_mm)}};
            item["runs"] = roi.region->runs;
        }
        list.push_back(std::move(item));
    }
    return jsonText(nlohmann::ordered_json{{"rois", list}}, 2);
}

}  // namespace tof
