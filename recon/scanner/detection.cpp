// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/detection.h"

#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/scanner/material_field.h"

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

constexpr std::array<const char*, 3> kPositions{"first", "largest", "centroid"};
constexpr std::array<const char*, 2> kDeadTimes{"non-paralysable", "paralysable"};
constexpr std::array<const char*, 3> kMultiples{"all", "none", "highest"};

/// One of the names, in the order of the enumeration; the first one where the field is absent.
template <class Choice, std::size_t n>
Choice readChoice(const JsonFields& fields, const char* field, const std::array<const char*, n>& names) {
    const std::string name = fields.text(field, names[0]);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        throw BadInput("{}: field '{}' is '{}'; give one of {}", fields.source(), field, name,
                       fmt::join(names, ", "));
    }
    return static_cast<Choice>(found - names.begin());
}

template <class Choice, std::size_t n>
const char* nameOf(Choice choice, const std::array<const char*, n>& names) {
    return names[static_cast<std::size_t>(choice)];
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
         "coincidence_ns", "delay_ns", "dead_time_ns", "dead_time", "trigger_kev", "integration_ns",
         "multiples", "bandwidth_mcps", "timing_by_rate"});
    Detection detection;
    detection.material = readMaterial(fields);
    detection.resolution = fields.number("energy_resolution", 0, 1);
    detection.window_keV = pairOf(fields.raw("window_kev"), 0, 2000, source + ": field 'window_kev'");
    if (!(detection.window_keV[0] < detection.window_keV[1])) {
        throw BadInput("{}: field 'window_kev' must begin below its end", source);
    }
    detection.efficiency = fields.number("efficiency", 1, 1e-3, 1);
    detection.block = readBlock(fields);
    detection.position = readChoice<Position>(fields, "position", kPositions);
    detection.positionFwhm_mm = fields.number("position_fwhm_mm", 0, 0, 100);
    detection.coincidence_ns = fields.number("coincidence_ns", 0, 0, 1000);
    detection.delay_ns = fields.number("delay_ns", detection.delay_ns, 0, 1e5);
    detection.deadTime_ns = fields.number("dead_time_ns", 0, 0, 1e5);
    detection.deadTimeKind = readChoice<DeadTime>(fields, "dead_time", kDeadTimes);
    detection.trigger_keV = fields.number("trigger_kev", 0, 0, 2000);
    if (detection.trigger_keV > detection.window_keV[0]) {
        throw BadInput("{}: field 'trigger_kev' must not lie above the beginning of 'window_kev'", source);
    }
    detection.integration_ns = fields.number("integration_ns", 0, 0, 1e5);
    // What comes while a block integrates adds to the first one and is lost itself.
    detection.deadTime_ns = std::max(detection.deadTime_ns, detection.integration_ns);
    detection.multiples = readChoice<Multiples>(fields, "multiples", kMultiples);
    detection.bandwidth_Mcps = fields.number("bandwidth_mcps", 0, 0, 1e6);
    detection.timingByRate = readTiming(fields);
    if (fields.has("delay_ns") && detection.delay_ns < 4 * detection.coincidence_ns) {
        throw BadInput("{}: field 'delay_ns' must be at least four coincidence windows", source);
    }
    return detection;
}

json Detection::toJson() const {
    json out{{"material", nameOf(material)},
             {"energy_resolution", resolution},
             {"window_kev", window_keV},
             {"efficiency", efficiency},
             {"position", nameOf(position, kPositions)},
             {"position_fwhm_mm", positionFwhm_mm},
             {"coincidence_ns", coincidence_ns},
             {"delay_ns", delay_ns},
             {"dead_time_ns", deadTime_ns}};
    const Detection plain;
    if (deadTimeKind != plain.deadTimeKind) {
        out["dead_time"] = nameOf(deadTimeKind, kDeadTimes);
    }
    if (multiples != plain.multiples) {
        out["multiples"] = nameOf(multiples, kMultiples);
    }
    for (const auto& [field, value] :
         {std::pair("trigger_kev", trigger_keV), std::pair("integration_ns", integration_ns),
          std::pair("bandwidth_mcps", bandwidth_Mcps)}) {
        if (value > 0) {
            out[field] = value;
        }
    }
    if (block[0] > 0) {
        out["block"] = block;
    }
    if (!timingByRate.empty()) {
        out["timing_by_rate"] = timingByRate;
    }
    return out;
}

double Detection::aliveShare(double busyPerSecond) const {
    const double busy = 1e-9 * deadTime_ns * busyPerSecond;
    return deadTimeKind == DeadTime::Paralysable ? std::exp(-busy) : std::max(0.0, 1 - busy);
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
