// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/scanner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/suggestion.h"
#include "recon/base/text_file.h"
#include "recon/scanner/surroundings.h"

namespace tof {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxCrystals = 4'000'000;
constexpr int kMostLayers = 8;

/// `count` finite numbers within [low, high] from an array.
std::vector<double> numbers(const json& value, std::size_t count, double low, double high,
                            const std::string& what) {
    if (!value.is_array() || value.size() != count) {
        throw BadInput("{} must be a list of {} numbers", what, count);
    }
    std::vector<double> result;
    result.reserve(count);
    for (const json& item : value) {
        const double number = item.is_number() ? item.get<double>() : std::nan("");
        if (!(number >= low && number <= high)) {
            throw BadInput("{} must hold numbers between {:g} and {:g}", what, low, high);
        }
        result.push_back(number);
    }
    return result;
}

/// Where the rows of a module lie along z: those of equal units, one behind the other.
std::vector<double> rowHeights(const JsonFields& fields, int rows, double pitch_mm) {
    int units = 1;
    double unitPitch_mm = 0;
    if (fields.has("units")) {
        const JsonFields given(fields.raw("units"), fields.source() + ", units", {"count", "pitch_mm"});
        units = given.integer("count", 1, 64);
        unitPitch_mm = given.number("pitch_mm", 1e-3, 10000);
        if (unitPitch_mm < rows * pitch_mm - 1e-6) {
            throw BadInput(
                "{}: field 'pitch_mm' is {:g}, less than the {:g} mm that a unit is long; units "
                "must not overlap",
                given.source(), unitPitch_mm, rows * pitch_mm);
        }
    }
    std::vector<double> heights;
    for (int unit = 0; unit < units; ++unit) {
        for (int row = 0; row < rows; ++row) {
            heights.push_back((unit - 0.5 * (units - 1)) * unitPitch_mm +
                              (row - 0.5 * (rows - 1)) * pitch_mm);
        }
    }
    return heights;
}

/// The crystals of one flat module whose centre lies at `azimuth`, `radius` from the axis.
void appendModule(std::vector<Crystal>& crystals, double azimuth, double radius, int columns, double pitch_mm,
                  const std::vector<double>& heights) {
    const Vec3 outward{std::cos(azimuth), std::sin(azimuth), 0};
    const Vec3 along{-outward.y, outward.x, 0};
    for (const double z : heights) {
        for (int column = 0; column < columns; ++column) {
            const double t = (column - 0.5 * (columns - 1)) * pitch_mm;
            const Vec3 inPlane = radius * outward + t * along;
            crystals.push_back({{inPlane.x, inPlane.y, z}, outward});
        }
    }
}

std::vector<Crystal> crystalsFromModules(const json& value, double depth_mm, const std::string& source) {
    const JsonFields fields(
        value, source + ", modules",
        {"count", "face_to_face_mm", "first_angle_deg", "crystals", "pitch_mm", "layers", "units"});
    const int modules = fields.integer("count", 2, 4096);
    const double faceToFace = fields.number("face_to_face_mm", 1, 10000);
    const double first = fields.number("first_angle_deg", 0, -360, 360) * kRadPerDeg;
    const auto count = numbers(fields.raw("crystals"), 2, 1, 4096, fields.source() + ": field 'crystals'");
    const auto pitch = numbers(fields.raw("pitch_mm"), 2, 1e-3, 1000, fields.source() + ": field 'pitch_mm'");
    const int layers = fields.has("layers") ? fields.integer("layers", 1, kMostLayers) : 1;
    const std::array<int, 2> grid{static_cast<int>(count[0]), static_cast<int>(count[1])};
    if (grid[0] != count[0] || grid[1] != count[1]) {
        throw BadInput("{}: field 'crystals' must hold whole numbers", fields.source());
    }
    const std::vector<double> heights = rowHeights(fields, grid[1], pitch[1]);
    const std::size_t total = static_cast<std::size_t>(modules) * static_cast<std::size_t>(layers) *
                              static_cast<std::size_t>(grid[0]) * heights.size();
    if (total > kMaxCrystals) {
        throw BadInput("{}: {} crystals are too many (limit {})", fields.source(), total, kMaxCrystals);
    }
    std::vector<Crystal> crystals;
    crystals.reserve(total);
    for (int layer = 0; layer < layers; ++layer) {
        for (int module = 0; module < modules; ++module) {
            appendModule(crystals, first + 2 * kPi * module / modules, 0.5 * faceToFace + layer * depth_mm,
                         grid[0], pitch[0], heights);
        }
    }
    return crystals;
}

std::vector<Crystal> crystalsFromList(const json& value, const std::string& source) {
    if (!value.is_array() || value.size() < 2 || value.size() > kMaxCrystals) {
        throw BadInput("{}: field 'crystals' must be a list of 2 to {} crystals", source, kMaxCrystals);
    }
    std::vector<Crystal> crystals;
    crystals.reserve(value.size());
    for (const json& row : value) {
        const auto n = numbers(row, 6, -1e5, 1e5, fmt::format("{}: crystal {}", source, crystals.size()));
        const Vec3 outward{n[3], n[4], n[5]};
        const double length = norm(outward);
        if (std::abs(length - 1) > 1e-3) {
            throw BadInput("{}: the direction of crystal {} has length {:g}; it must be 1", source,
                           crystals.size(), length);
        }
        crystals.push_back({{n[0], n[1], n[2]}, (1 / length) * outward});
    }
    return crystals;
}

std::vector<Crystal> readCrystals(const JsonFields& fields, double depth_mm) {
    if (fields.has("modules") == fields.has("crystals")) {
        throw BadInput("{}: give either 'modules' or 'crystals'", fields.source());
    }
    return fields.has("modules") ? crystalsFromModules(fields.raw("modules"), depth_mm, fields.source())
                                 : crystalsFromList(fields.raw("crystals"), fields.source());
}

bool readFacesKnown(const JsonFields& fields) {
    const json known = fields.has("faces_known") ? fields.raw("faces_known") : json(true);
    if (!known.is_boolean()) {
        throw BadInput("{}: field 'faces_known' must be true or false", fields.source());
    }
    return known.get<bool>();
}

/// How far from the axis the first crystals begin.
double crystalsBegin_mm(const Scanner& scanner) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Crystal& crystal : scanner.crystals) {
        nearest = std::min(nearest, dot(crystal.front, crystal.outward));
    }
    return nearest;
}

bool same(const std::vector<Crystal>& a, const std::vector<Crystal>& b) {
    const auto equal = [](const Crystal& p, const Crystal& q) {
        return norm(p.front - q.front) < 1e-6 && norm(p.outward - q.outward) < 1e-9;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

json crystalRows(const std::vector<Crystal>& crystals) {
    json rows = json::array();
    for (const Crystal& c : crystals) {
        rows.push_back({c.front.x, c.front.y, c.front.z, c.outward.x, c.outward.y, c.outward.z});
    }
    return rows;
}

}  // namespace

std::vector<Vec3> referencePoints(const Scanner& scanner) {
    std::vector<Vec3> points;
    points.reserve(scanner.crystals.size());
    for (std::size_t c = 0; c < scanner.crystals.size(); ++c) {
        points.push_back(scanner.reference(static_cast<std::uint32_t>(c)));
    }
    return points;
}

double meanInteractionDepth(double attenuation_per_mm, double depth_mm) {
    const double x = attenuation_per_mm * depth_mm;
    if (x < 1e-6) {  // the two terms cancel; their difference tends to half the depth
        return 0.5 * depth_mm;
    }
    return 1 / attenuation_per_mm - depth_mm * std::exp(-x) / -std::expm1(-x);
}

Scanner Scanner::find(const std::string& nameOrFile) {
    for (const BuiltIn& one : builtInScanners()) {
        if (one.name == nameOrFile) {
            return fromJson(one.text, one.name);
        }
    }
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(nameOrFile, ignored)) {
        const auto names = namesOf(builtInScanners());
        throw WrongUse("no scanner or file '{}'{}; built in: {}", nameOrFile, suggestion(nameOrFile, names),
                       fmt::join(names, ", "));
    }
    return fromJson(readTextFile(nameOrFile), nameOrFile);
}

Scanner Scanner::fromJson(const std::string& text, const std::string& source) {
    const json root = parseJson(text, source);
    const JsonFields fields(root, source,
                            {"name", "about", "modules", "crystals", "crystal_mm", "faces_known",
                             "attenuation_per_mm", "mean_depth_mm", "acceptance_deg", "fov_diameter_mm",
                             "timing_fwhm_ps", "detection", "surroundings", "published", "sources"});
    Scanner scanner;
    scanner.name = fields.text("name");
    const auto size = numbers(fields.raw("crystal_mm"), 3, 1e-3, 1000, source + ": field 'crystal_mm'");
    scanner.crystalSize_mm = {size[0], size[1], size[2]};
    scanner.facesKnown = readFacesKnown(fields);
    scanner.attenuation_per_mm = fields.number("attenuation_per_mm", 0, 0, 10);
    scanner.meanDepth_mm =
        fields.number("mean_depth_mm", meanInteractionDepth(scanner.attenuation_per_mm, size[2]), 0, 1000);
    scanner.acceptance_rad = fields.number("acceptance_deg", 1e-3, 89.9) * kRadPerDeg;
    scanner.fovRadius_mm = 0.5 * fields.number("fov_diameter_mm", 1, 10000);
    scanner.timing_fwhm_ps = fields.number("timing_fwhm_ps", 0, 0, 1e5);
    if (fields.has("detection")) {
        scanner.detection = Detection::fromJson(fields.raw("detection"), source + ", detection");
    }
    scanner.crystals = readCrystals(fields, size[2]);
    if (fields.has("surroundings")) {
        static_cast<void>(readSurroundings(fields.raw("surroundings"), crystalsBegin_mm(scanner), source));
    }
    scanner.description = text;
    return scanner;
}

std::string Scanner::toJson() const {
    json root = description.empty() ? json::object() : parseJson(description, name);
    const bool modulesHold = root.contains("modules") &&
                             same(crystalsFromModules(root["modules"], crystalSize_mm[2], name), crystals);
    if (modulesHold) {
        root.erase("crystals");
    } else {
        root.erase("modules");
        root["crystals"] = crystalRows(crystals);
    }
    root["name"] = name;
    root["crystal_mm"] = crystalSize_mm;
    if (!facesKnown) {
        root["faces_known"] = false;
    }
    root["attenuation_per_mm"] = attenuation_per_mm;
    root["mean_depth_mm"] = meanDepth_mm;
    root["acceptance_deg"] = acceptance_rad / kRadPerDeg;
    root["fov_diameter_mm"] = 2 * fovRadius_mm;
    root["timing_fwhm_ps"] = timing_fwhm_ps;
    root.erase("detection");
    if (detection) {
        root["detection"] = detection->toJson();
    }
    // Names come from files, in any bytes.
    return jsonText(root);
}

}  // namespace tof
