// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/detection.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"

namespace tof {

namespace {

using nlohmann::json;

std::array<double, 2> pairOf(const json& value, double low, double high, const std::string& what) {
    if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number()) {
        throw BadInput("{} must be a list of 2 numbers", what);
    }
    const std::array<double, 2> result{value[0].get<double>(), value[1].get<double>()};
    for (const double number : result) {
        if (!(number >= low && number <= high)) {
            throw BadInput("{} must hold numbers between {:g} and {:g}", what, low, high);
        }
    }
    return result;
}

Material readMaterial(const JsonFields& fields) {
    try {
        return materialNamed(fields.text("material"));
    } catch (const WrongUse& fault) {
        throw BadInput("{}: field 'material': {}", fields.source(), fault.what());
    }
}

Detection::Position readPosition(const JsonFields& fields) {
    const std::string name = fields.text("position", "first");
    if (name == "first") {
        return Detection::Position::First;
    }
    if (name == "largest") {
        return Detection::Position::Largest;
    }
    if (name == "centroid") {
        return Detection::Position::Centroid;
    }
    throw BadInput("{}: field 'position' is '{}'; give first, largest or centroid", fields.source(), name);
}

std::array<int, 2> readBlock(const JsonFields& fields) {
    if (!fields.has("block")) {
        return {0, 0};
    }
    const std::string what = fields.source() + ": field 'block'";
    const auto numbers = pairOf(fields.raw("block"), 1, 4096, what);
    const std::array<int, 2> block{static_cast<int>(numbers[0]), static_cast<int>(numbers[1])};
    if (block[0] != numbers[0] || block[1] != numbers[1]) {
        throw BadInput("{} must hold whole numbers", what);
    }
    return block;
}

std::vector<std::array<double, 2>> readTiming(const JsonFields& fields) {
    std::vector<std::array<double, 2>> rows;
    if (!fields.has("timing_by_rate")) {
        return rows;
    }
    const std::string what = fields.source() + ": field 'timing_by_rate'";
    const json& value = fields.raw("timing_by_rate");
    if (!value.is_array() || value.empty()) {
        throw BadInput("{} must be a list of [singles per second, FWHM in ps]", what);
    }
    for (const json& row : value) {
        rows.push_back(pairOf(row, 0, 1e12, what));
        if (rows.size() > 1 && !(rows.back()[0] > rows[rows.size() - 2][0])) {
            throw BadInput("{} must have ascending rates", what);
        }
    }
    return rows;
}

}  // namespace

Detection Detection::fromJson(const json& value, const std::string& source) {
    const JsonFields fields(
        value, source,
        {"material", "energy_resolution", "window_kev", "efficiency", "block", "position", "position_fwhm_mm",
         "coincidence_ns", "delay_ns", "dead_time_ns", "timing_by_rate"});
    Detection detection;
    detection.material = readMaterial(fields);
    detection.resolution = fields.number("energy_resolution", 0, 1);
    detection.window_keV = pairOf(fields.raw("window_kev"), 0, 2000, source + ": field 'window_kev'");
    if (!(detection.window_keV[0] < detection.window_keV[1])) {
        throw BadInput("{}: field 'window_kev' must begin below its end", source);
    }
    detection.efficiency = fields.number("efficiency", 1, 1e-3, 1);
    detection.block = readBlock(fields);
    detection.position = readPosition(fields);
    detection.positionFwhm_mm = fields.number("position_fwhm_mm", 0, 0, 100);
    detection.coincidence_ns = fields.number("coincidence_ns", 0, 0, 1000);
    detection.delay_ns = fields.number("delay_ns", detection.delay_ns, 0, 1e5);
    detection.deadTime_ns = fields.number("dead_time_ns", 0, 0, 1e5);
    detection.timingByRate = readTiming(fields);
    if (fields.has("delay_ns") && detection.delay_ns < 4 * detection.coincidence_ns) {
        throw BadInput("{}: field 'delay_ns' must be at least four coincidence windows", source);
    }
    return detection;
}

json Detection::toJson() const {
    static constexpr std::array<const char*, 3> kPositions{"first", "largest", "centroid"};
    json out{{"material", nameOf(material)},
             {"energy_resolution", resolution},
             {"window_kev", window_keV},
             {"efficiency", efficiency},
             {"position", kPositions[static_cast<std::size_t>(position)]},
             {"position_fwhm_mm", positionFwhm_mm},
             {"coincidence_ns", coincidence_ns},
             {"delay_ns", delay_ns},
             {"dead_time_ns", deadTime_ns}};
    if (block[0] > 0) {
        out["block"] = block;
    }
    if (!timingByRate.empty()) {
        out["timing_by_rate"] = timingByRate;
    }
    return out;
}

double Detection::timing_ps(double singlesPerSecond, double otherwise) const {
    if (timingByRate.empty()) {
        return otherwise;
    }
    const auto above =
        std::find_if(timingByRate.begin(), timingByRate.end(),
                     [&](const std::array<double, 2>& row) { return row[0] >= singlesPerSecond; });
    if (above == timingByRate.begin()) {
        return above->back();
    }
    if (above == timingByRate.end()) {
        return timingByRate.back()[1];
    }
    const auto& below = *(above - 1);
    const double part = (singlesPerSecond - below[0]) / ((*above)[0] - below[0]);
    return below[1] + part * ((*above)[1] - below[1]);
}

}  // namespace tof
