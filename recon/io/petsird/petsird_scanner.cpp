// SPDX-License-Identifier: Apache-2.0
#include "recon/io/petsird/petsird_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/format/notes.h"
#include "recon/physics/materials.h"
#include "recon/scanner/scanner_field.h"

namespace tof {

namespace {

using nlohmann::json;

constexpr std::size_t kMostPetsirdCrystals = 4'000'000;

/// x -> matrix * (x, 1).
using Rigid = std::array<Vec3, 4>;  // columns

Vec3 moved(const Rigid& by, Vec3 point) {
    return point.x * by[0] + point.y * by[1] + point.z * by[2] + by[3];
}
Vec3 turned(const Rigid& by, Vec3 direction) {
    return moved(by, direction) - by[3];
}
Rigid after(const Rigid& second, const Rigid& first) {
    return {turned(second, first[0]), turned(second, first[1]), turned(second, first[2]),
            moved(second, first[3])};
}

/// A box as its centre and the three edges that meet in a corner; `good` is false for corners of no box.
struct Cuboid {
    Vec3 centre;
    std::array<Vec3, 3> edges;
    bool good = false;
};

/// The corners may come in any order: the three edges from the first one add up to the farthest corner.
Cuboid boxOf(const std::vector<Vec3>& corners) {
    Cuboid box;
    for (const Vec3& corner : corners) {
        box.centre = box.centre + 0.125 * corner;
    }
    const Vec3 diagonal = 2.0 * (box.centre - corners[0]);
    const double small = 1e-3 * norm(diagonal);
    for (std::size_t i = 1; i < corners.size(); ++i) {
        for (std::size_t j = i + 1; j < corners.size(); ++j) {
            for (std::size_t k = j + 1; k < corners.size(); ++k) {
                const Vec3 a = corners[i] - corners[0];
                const Vec3 b = corners[j] - corners[0];
                const Vec3 c = corners[k] - corners[0];
                const double right =
                    std::max({std::abs(dot(a, b)), std::abs(dot(b, c)), std::abs(dot(a, c))});
                if (right <= small * norm(diagonal) && norm(a + b + c - diagonal) <= small &&
                    std::min({norm(a), norm(b), norm(c)}) > 0) {
                    box.edges = {a, b, c};
                    box.good = true;
                }
            }
        }
    }
    return box;
}

/// What the crystals of the first modules are made of; empty where it is not said.
std::string materialOf(const json& header) {
    const json id = header.value(
        "/scannerGeometry/replicatedModules/0/object/detectingElements/object/materialId"_json_pointer,
        json());
    for (const json& bulk : header.value("bulkMaterials", json::array())) {
        if (bulk.is_object() && bulk.value("id", json()) == id && bulk.value("name", json()).is_string()) {
            return bulk["name"].get<std::string>();
        }
    }
    return {};
}

/// A crystal that extends away from the axis, and its size: transaxial, axial, depth.
struct Placed {
    Crystal crystal;
    std::array<double, 3> size_mm{};
};

Vec3 radialOf(Vec3 place) {
    const double radius = std::hypot(place.x, place.y);
    return radius > 0 ? Vec3{place.x / radius, place.y / radius, 0} : Vec3{1, 0, 0};
}

/// Edges of the box across, along the axis, and in depth: that which most of all elements turns to the axis.
/// One element alone does not tell, as those at the rim of a panel look past the axis.
std::array<Vec3, 3> orderedEdges(const Cuboid& box, const std::vector<Rigid>& all) {
    std::array<double, 3> deep{};
    std::array<double, 3> axial{};
    for (const Rigid& by : all) {
        const Vec3 radial = radialOf(moved(by, box.centre));
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3 edge = turned(by, box.edges.at(i));
            deep.at(i) += std::abs(dot(edge, radial)) / norm(edge);
            axial.at(i) += std::abs(edge.z) / norm(edge);
        }
    }
    std::array<std::size_t, 3> order{0, 1, 2};
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return deep.at(a) < deep.at(b); });
    if (axial.at(order[0]) > axial.at(order[1])) {
        std::swap(order[0], order[1]);
    }
    return {box.edges.at(order[0]), box.edges.at(order[1]), box.edges.at(order[2])};
}

/// `edges` as orderedEdges() gives them.
Placed placed(Vec3 middle, const std::array<Vec3, 3>& edges, const Rigid& by) {
    const Vec3 centre = moved(by, middle);
    const Vec3 along = turned(by, edges[2]);
    const double depth = norm(along);
    const Vec3 outward = (dot(along, radialOf(centre)) < 0 ? -1 / depth : 1 / depth) * along;
    return {{centre - 0.5 * depth * outward, outward},
            {norm(turned(by, edges[0])), norm(turned(by, edges[1])), depth}};
}

}  // namespace

void PetsirdScanner::fail(const char* name, const std::string& fault) const {
    throw BadInput("{}: field '{}' of its scanner {}; correct it", path_, name, fault);
}

const json& PetsirdScanner::field(const json& object, const char* name) const {
    if (!object.is_object() || !object.contains(name)) {
        throw BadInput("{}: its scanner has no '{}'; write it as PETSIRD 0.9 or 0.10", path_, name);
    }
    return object[name];
}

/// A list, or an array of any number of dimensions, of finite numbers.
std::vector<float> PetsirdScanner::numbers(const json& array, const char* name) const {
    const json& list = array.is_object() && array.contains("items") ? array["items"] : array;
    std::vector<float> result;
    for (const json& one : list) {
        const double number = one.is_number() ? one.get<double>() : std::nan("");
        if (!std::isfinite(number)) {
            fail(name, "holds what is no finite number");
        }
        result.push_back(static_cast<float>(number));
    }
    return result;
}

PetsirdScanner::PetsirdScanner(std::string path, const json& header) : path_(std::move(path)) {
    const json& name = field(header, "modelName");
    scanner_.name = name.is_string() ? name.get<std::string>() : "PETSIRD";
    for (const json& modules : field(field(header, "scannerGeometry"), "replicatedModules")) {
        addModules(modules);
    }
    if (scanner_.crystals.size() < 2) {
        fail("replicatedModules", "has no detecting elements");
    }
    scanner_.meanDepth_mm = 0.5 * scanner_.crystalSize_mm[2];
    describeField(scanner_);
    const json& windows = field(header, "eventEnergyBinEdges");
    for (std::size_t t = 0; t < types_.size(); ++t) {
        const std::size_t edges =
            t < windows.size() ? numbers(field(windows[t], "edges"), "eventEnergyBinEdges").size() : 0;
        if (edges < 2) {
            fail("eventEnergyBinEdges", "has no window for every type of modules");
        }
        types_[t].energies = static_cast<std::uint32_t>(edges - 1);
    }
    addTimes(header);
    addEfficiencies(field(header, "detectionEfficiencies"));
    addDetection(header);
    const json alignment = header.value("gantryAlignment", json());
    if (!alignment.is_null()) {
        note_ = joinedNotes(note_, "the alignment with another gantry is not applied");
    }
}

void PetsirdScanner::addModules(const json& replicated) {
    const auto transforms = [&](const json& list) {
        std::vector<Rigid> result;
        for (const json& one : field(list, "transforms")) {
            const std::vector<float> m = numbers(field(one, "matrix"), "transforms");
            if (m.size() != 12) {
                fail("transforms", "is not of 3 x 4 numbers");
            }
            Rigid rigid;
            for (std::size_t column = 0; column < 4; ++column) {
                rigid.at(column) = {m[column], m[4 + column], m[8 + column]};
            }
            result.push_back(rigid);
        }
        return result;
    };
    const json& elements = field(field(replicated, "object"), "detectingElements");
    std::vector<Vec3> corners;
    for (const json& corner : field(field(field(elements, "object"), "shape"), "corners")) {
        const std::vector<float> c = numbers(field(corner, "c"), "corners");
        if (c.size() != 3) {
            fail("corners", "is not of 3 numbers each");
        }
        corners.push_back({c[0], c[1], c[2]});
    }
    const Cuboid box = corners.size() == 8 ? boxOf(corners) : Cuboid();
    if (!box.good) {
        fail("corners", "is not of the 8 corners of a box with right angles");
    }
    const std::vector<Rigid> inModule = transforms(elements);
    const std::vector<Rigid> modules = transforms(replicated);
    const std::size_t count = inModule.size() * modules.size();
    if (count == 0 ||
        count > kMostPetsirdCrystals - std::min(kMostPetsirdCrystals, scanner_.crystals.size())) {
        fail("transforms", fmt::format("gives {} detecting elements", count));
    }
    Type type;
    type.firstCrystal = static_cast<std::uint32_t>(scanner_.crystals.size());
    type.crystals = static_cast<std::uint32_t>(count);
    type.elements = static_cast<std::uint32_t>(inModule.size());
    std::vector<Rigid> all;
    for (const Rigid& module : modules) {
        for (const Rigid& element : inModule) {
            all.push_back(after(module, element));
        }
    }
    const std::array<Vec3, 3> edges = orderedEdges(box, all);
    for (const Rigid& by : all) {
        const Placed one = placed(box.centre, edges, by);
        if (std::abs(norm(one.crystal.outward) - 1) > 1e-3 || !std::isfinite(norm(one.crystal.front))) {
            fail("transforms", "does not keep lengths");
        }
        if (scanner_.crystals.empty()) {
            scanner_.crystalSize_mm = one.size_mm;
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (std::abs(one.size_mm.at(axis) - scanner_.crystalSize_mm.at(axis)) > 0.01) {
                scanner_.facesKnown = false;
            }
        }
        scanner_.crystals.push_back(one.crystal);
    }
    if (!scanner_.facesKnown && note_.empty()) {
        note_ = "its crystals differ in size, so that their faces do not shade each other";
    }
    types_.push_back(std::move(type));
}

void PetsirdScanner::addTimes(const json& header) {
    const json& edges = field(header, "tofBinEdges");
    const json& resolutions = field(header, "tofResolution");
    double finest = std::numeric_limits<double>::infinity();
    double coarsest = 0;
    pairs_.resize(types_.size() * types_.size());
    for (std::size_t one = 0; one < types_.size(); ++one) {
        for (std::size_t two = 0; two <= one; ++two) {
            const bool told = one < edges.size() && two < edges[one].size() && one < resolutions.size() &&
                              two < resolutions[one].size();
            if (!told) {
                fail("tofBinEdges", "lacks a pair of module types");
            }
            Pair& pair = pairs_[one * types_.size() + two];
            const std::vector<float> at = numbers(field(edges[one][two], "edges"), "tofBinEdges");
            if (at.size() < 2 || !std::is_sorted(at.begin(), at.end(), std::less_equal<>())) {
                fail("tofBinEdges", "does not grow from edge to edge");
            }
            pair.time_bins = at.size() - 1;
            for (std::size_t bin = 0; at.size() > 2 && bin + 1 < at.size(); ++bin) {
                const double middle_mm =
                    0.5 * (static_cast<double>(at[bin]) + static_cast<double>(at[bin + 1]));
                pair.dt_ps.push_back(static_cast<float>(middle_mm / kMmPerPs));
            }
            timed_ = timed_ || at.size() > 2;
            const double fwhm = resolutions[one][two].is_number() ? resolutions[one][two].get<double>() : 0;
            if (at.size() > 2 && !(fwhm > 0 && fwhm < 1e5)) {
                fail("tofResolution", "is not above 0");
            }
            if (at.size() > 2) {
                finest = std::min(finest, fwhm / kMmPerPs);
                coarsest = std::max(coarsest, fwhm / kMmPerPs);
            }
        }
    }
    scanner_.timing_fwhm_ps = coarsest;
    if (timed_ && coarsest > finest) {
        note_ =
            joinedNotes(note_, fmt::format("its time resolutions differ ({:.0f} to {:.0f} ps); the coarsest "
                                           "is taken",
                                           finest, coarsest));
    }
}

/// How crystals detect, where all have one window of energy and a resolution is told. Words for materials are
/// not agreed on: one that is not known here counts as LYSO, which is told.
void PetsirdScanner::addDetection(const json& header) {
    const json resolutions = header.value("energyResolutionAt511", json::array());
    if (types_.size() != 1 || types_[0].energies != 1 || resolutions.size() != 1 ||
        !resolutions[0].is_number()) {
        return;
    }
    const std::vector<float> edges =
        numbers(header["eventEnergyBinEdges"][0]["edges"], "eventEnergyBinEdges");
    Detection detection;
    detection.resolution = resolutions[0].get<double>();
    detection.window_keV = {static_cast<double>(edges[0]), static_cast<double>(edges[1])};
    constexpr double kMost_keV = 2000;
    if (!(detection.resolution > 0 && detection.resolution < 1 && detection.window_keV[0] >= 0 &&
          detection.window_keV[0] < detection.window_keV[1] && detection.window_keV[1] <= kMost_keV)) {
        return;
    }
    detection.material = Material::Lyso;
    const std::string material = materialOf(header);
    const auto& known = materialNames();
    if (std::find(known.begin(), known.end(), material) != known.end()) {
        detection.material = materialNamed(material);
    } else {
        note_ = joinedNotes(note_,
                            "no known word says what its crystals are made of: LYSO is taken where "
                            "scatter is corrected");
    }
    scanner_.detection = detection;
}

void PetsirdScanner::addEfficiencies(const json& told) {
    if (!told.is_object()) {
        fail("detectionEfficiencies", "is no record");
    }
    calibration_ = told.value("calibrationFactor", 1.0);
    if (!(calibration_ > 0 && std::isfinite(calibration_))) {
        fail("calibrationFactor", "is not above 0");
    }
    const json bins = told.value("detectionBinEfficiencies", json());
    for (std::size_t t = 0; bins.is_array() && t < types_.size() && t < bins.size(); ++t) {
        types_[t].efficiencies = numbers(bins[t], "detectionBinEfficiencies");
        if (types_[t].efficiencies.size() != std::size_t{types_[t].crystals} * types_[t].energies) {
            fail("detectionBinEfficiencies", "has not one number for every detection bin");
        }
        weighted_ = true;
    }
    const json groups = told.value("modulePairSGIDLUT", json());
    const json vectors = told.value("modulePairEfficienciesVectors", json());
    for (std::size_t one = 0; one < groups.size() && one < types_.size(); ++one) {
        for (std::size_t two = 0; two <= one && two < groups[one].size(); ++two) {
            Pair& pair = pairs_[one * types_.size() + two];
            for (const json& row : groups[one][two]) {
                for (const json& group : row) {
                    pair.groups.push_back(group.is_number_integer() ? group.get<std::int64_t>() : -1);
                }
            }
            const auto modules = [](const Type& type) { return type.crystals / type.elements; };
            if (pair.groups.size() != std::size_t{modules(types_[one])} * modules(types_[two])) {
                fail("modulePairSGIDLUT", "has not one number for every pair of modules");
            }
            weighted_ = true;
            for (const json& group :
                 one < vectors.size() && two < vectors[one].size() ? vectors[one][two] : json::array()) {
                std::vector<float> values;
                for (const json& row : field(group, "values")) {
                    const std::vector<float> more = numbers(row, "modulePairEfficienciesVectors");
                    values.insert(values.end(), more.begin(), more.end());
                }
                const auto size = [](const Type& type) { return std::size_t{type.elements} * type.energies; };
                if (values.size() != size(types_[one]) * size(types_[two])) {
                    fail("modulePairEfficienciesVectors", "has not one number for every pair of bins");
                }
                pair.efficiencies.push_back(std::move(values));
            }
        }
    }
}

void PetsirdScanner::useCalibration(StatedFactor use) {
    if (calibration_ != 1 && weighted_) {
        note_ = joinedNotes(
            note_, statedFactorNote("efficiencies of events", "calibrationFactor", calibration_, use));
    }
    calibration_ = use == StatedFactor::Left ? 1 : calibration_;
}

float PetsirdScanner::efficiency(std::size_t first, std::size_t second,
                                 const std::array<std::uint64_t, 2>& bins) const {
    const std::array<const Type*, 2> types{&types_[first], &types_[second]};
    double product = calibration_;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        if (!types.at(side)->efficiencies.empty()) {
            product *= static_cast<double>(types.at(side)->efficiencies[bins.at(side)]);
        }
    }
    const Pair& both = pair(first, second);
    if (!both.groups.empty()) {
        const auto inModule = [&](std::size_t side) {
            return std::uint64_t{types.at(side)->elements} * types.at(side)->energies;
        };
        const std::uint64_t modules = types[1]->crystals / types[1]->elements;
        const std::int64_t group = both.groups[bins[0] / inModule(0) * modules + bins[1] / inModule(1)];
        if (group < 0) {
            return 0;
        }
        if (static_cast<std::size_t>(group) < both.efficiencies.size()) {
            product *= static_cast<double>(both.efficiencies[static_cast<std::size_t>(
                group)][bins[0] % inModule(0) * inModule(1) + bins[1] % inModule(1)]);
        }
    }
    return static_cast<float>(product);
}

}  // namespace tof
