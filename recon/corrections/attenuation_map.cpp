// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/attenuation_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/format/notes.h"
#include "recon/io/format_table.h"

namespace tof {

namespace {

constexpr double kPerMmOfPerCm = 0.1;

void requireFinite(const Volume& volume, const std::string& name) {
    const auto bad =
        std::count_if(volume.data.begin(), volume.data.end(), [](float v) { return !std::isfinite(v); });
    if (bad > 0) {
        throw BadInput("{}: {} voxels of the attenuation are not finite; replace them (air: 0)", name, bad);
    }
}

void requirePlausible(double low, double high, const std::string& name) {
    constexpr double kMost = 1.0;
    constexpr double kLeast = -0.01;
    constexpr double kAir = -500;  // in Hounsfield units, and no attenuation
    if (low <= kAir || (low < kLeast && high > kMost)) {
        throw BadInput(
            "{}: values from {:g} to {:g} look like a CT in Hounsfield units, not attenuation in 1/cm; give "
            "--mu-units hu",
            name, low, high);
    }
    if (high > kMost) {
        throw BadInput(
            "{}: attenuation up to {:g} per cm is not plausible (water at 511 keV: 0.096); convert it to "
            "1/cm, or "
            "say what it is with --mu-units",
            name, high);
    }
    if (low < kLeast) {
        throw BadInput(
            "{}: attenuation down to {:g} per cm is not plausible; convert it to 1/cm, or say what it "
            "is with --mu-units",
            name, low);
    }
}

/// A CT reaches beyond the body, into air; without its intercept it is all water and bone. A remark where
/// there is no air, but fat.
std::string checkedAir(const Volume& volume, const std::string& name) {
    constexpr float kAir = -500;
    const float low = *std::min_element(volume.data.begin(), volume.data.end());
    if (low >= 0) {
        throw BadInput(
            "{}: no value of the CT is below 0 HU (air: -1000), so it seems to have lost its intercept; "
            "subtract it (1024 as a rule), or give 1/cm",
            name);
    }
    return low > kAir ? fmt::format("{}: no value of the CT is below {:g} HU; there is no air in it (-1000)",
                                    name, low)
                      : "";
}

}  // namespace

double perCmOfHounsfield(double hounsfield) {
    constexpr double kBreak = 1047;
    const double shifted = std::max(hounsfield + 1000, 0.0);
    return shifted <= kBreak ? 9.6e-5 * shifted : 5.10e-5 * shifted + 4.71e-2;
}

AttenuationMap attenuationMap(Volume volume, MuUnits units, const std::string& name) {
    requireFinite(volume, name);
    const std::string airless = units == MuUnits::Hounsfield ? checkedAir(volume, name) : "";
    const bool perMm = units == MuUnits::PerMm || (units == MuUnits::AsStated && volume.units == "1/mm");
    for (float& value : volume.data) {
        if (units == MuUnits::Hounsfield) {
            value = static_cast<float>(perCmOfHounsfield(value));
        }
        value = perMm ? value : static_cast<float>(value * kPerMmOfPerCm);
    }
    const auto [lowest, highest] = std::minmax_element(volume.data.begin(), volume.data.end());
    const double low = *lowest / kPerMmOfPerCm;
    const double high = *highest / kPerMmOfPerCm;
    requirePlausible(low, high, name);
    AttenuationMap map;
    map.note = airless;
    const auto below = std::count_if(volume.data.begin(), volume.data.end(), [](float v) { return v < 0; });
    if (below > 0) {
        map.note = joinedNotes(
            map.note,
            fmt::format(
                "{}: {} voxels of the attenuation lie below zero (down to {:g} per cm) and became zero", name,
                below, low));
        std::replace_if(
            volume.data.begin(), volume.data.end(), [](float v) { return v < 0; }, 0.0F);
    }
    constexpr double kDense = 0.03;  // lung; a body has water
    if (high > 0 && high < kDense) {
        map.note += fmt::format(
            "{}{}: attenuation is {:g} per cm at most, a third of water's or less; if it is in 1/mm say so "
            "with "
            "--mu-units 1/mm",
            map.note.empty() ? "" : "; ", name, high);
    }
    volume.units = "1/mm";
    map.volume = std::move(volume);
    return map;
}

AttenuationMap readAttenuationMap(const std::string& path, MuUnits units, const std::function<void()>& heed) {
    VolumeReadResult read = recognise(path, heed).readVolumeResult({});
    if (heed) {
        heed();  // a large map is looked at for most of a second
    }
    AttenuationMap map = attenuationMap(std::move(read.volume), units, path);
    map.note = joinedNotes(read.note, map.note);
    return map;
}

}  // namespace tof
