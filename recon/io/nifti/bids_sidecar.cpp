// SPDX-License-Identifier: Apache-2.0
#include "recon/io/nifti/bids_sidecar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/physics/nuclide.h"

namespace tof {

namespace {

// The first of those that mean one unit is how BIDS spells it.
constexpr std::array<std::pair<std::string_view, const char*>, 6> kSpelt{{{"Bq/mL", "Bq/ml"},
                                                                          {"BQML", "Bq/ml"},
                                                                          {"kBq/mL", "kBq/ml"},
                                                                          {"g/mL", "g/ml"},
                                                                          {"GML", "g/ml"},
                                                                          {"SUV", "g/ml"}}};

std::vector<double> numbersOf(const nlohmann::json& held, const char* field, std::size_t count,
                              const std::string& sidecar) {
    const auto found = held.find(field);
    const bool good =
        found != held.end() && found->is_array() && found->size() == count &&
        std::all_of(found->begin(), found->end(), [](const auto& one) { return one.is_number(); });
    if (!good) {
        throw BadInput("{}: field '{}' must be a list of {} numbers of seconds, one for each frame; add it",
                       sidecar, field, count);
    }
    return found->get<std::vector<double>>();
}

constexpr const char* kSoftware = "ConversionSoftware";  // as dcm2niix calls it
constexpr const char* kThisProgram = "Tofscope";

}  // namespace

std::string sidecarOf(const std::string& path) {
    std::filesystem::path stem(path);
    stem = stem.extension() == ".gz" ? stem.replace_extension() : stem;
    return stem.replace_extension(".json").string();
}

std::string unitsFromBids(const std::string& text) {
    const auto known =
        std::find_if(kSpelt.begin(), kSpelt.end(), [&](const auto& one) { return one.first == text; });
    return known != kSpelt.end() ? known->second : text;
}

bool saysFrameTimes(const std::string& path) {
    try {
        const nlohmann::json held = tryJson(readTextFile(sidecarOf(path)));
        return held.is_object() && held.contains("FrameTimesStart");
    } catch (const BadInput&) {
        return false;
    }
}

std::string readFrameTimes(const std::string& path, std::size_t frames, DynamicInfo& info) {
    const std::string sidecar = sidecarOf(path);
    if (std::error_code ignored; !std::filesystem::exists(sidecar, ignored)) {
        throw BadInput(
            "{}: says no times of its {} volumes; put '{}' beside it, a sidecar of BIDS with FrameTimesStart "
            "and FrameDuration",
            path, frames, std::filesystem::path(sidecar).filename().string());
    }
    const nlohmann::json held = parseJson(readTextFile(sidecar), sidecar);
    if (!held.is_object()) {
        throw BadInput("{}: is no object of JSON; make the sidecar of '{}' again", sidecar, path);
    }
    const std::vector<double> starts = numbersOf(held, "FrameTimesStart", frames, sidecar);
    const std::vector<double> durations = numbersOf(held, "FrameDuration", frames, sidecar);
    for (std::size_t i = 0; i < frames; ++i) {
        info.frames.push_back({starts[i], durations[i]});
    }
    if (const std::string fault = framesFault(info.frames); !fault.empty()) {
        throw BadInput("{}: fields 'FrameTimesStart' and 'FrameDuration': {}; correct them", sidecar, fault);
    }
    if (const auto said = held.find("ImageDecayCorrected"); said != held.end() && said->is_boolean()) {
        info.decay = said->get<bool>() ? DecayCorrection::Applied : DecayCorrection::None;
    }
    if (const auto said = held.find("ImageDecayCorrectionTime"); said != held.end()) {
        constexpr double kLongest_s = 1e8;
        info.decayReference_s = said->is_number() ? said->get<double>() : kLongest_s;
        if (!(std::abs(info.decayReference_s) < kLongest_s)) {
            throw BadInput("{}: field 'ImageDecayCorrectionTime' is no time of a scan in s; correct it",
                           sidecar);
        }
    }
    if (const auto said = held.find("TracerRadionuclide"); said != held.end() && said->is_string()) {
        const Nuclide* const nuclide = nuclideIn(said->get<std::string>());
        info.halfLife_s = nuclide != nullptr ? nuclide->halfLife_s : 0;
    }
    return info.decay == DecayCorrection::Applied && !held.contains("ImageDecayCorrectionTime")
               ? "field 'ImageDecayCorrectionTime' of the sidecar is missing: values are taken to be "
                 "corrected "
                 "to time zero"
               : "";
}

namespace {

void addDose(nlohmann::ordered_json& text, const DynamicInfo& info, const Uptake& uptake) {
    text["InjectedRadioactivity"] = 1e-6 * uptake.dose_Bq;
    text["InjectedRadioactivityUnits"] = "MBq";
    text["InjectionStart"] = info.decayReference_s - uptake.waited_s;
    text["RadionuclideHalfLife"] = uptake.halfLife_s;
    text["PatientWeight"] = uptake.weight_kg;
    if (uptake.height_m > 0) {
        text["PatientSize"] = uptake.height_m;
    }
    if (uptake.sex != Sex::Unknown) {
        text["PatientSex"] = uptake.sex == Sex::Female ? "F" : "M";
    }
}

double numberIn(const nlohmann::json& held, const char* field) {
    const auto found = held.find(field);
    return found != held.end() && found->is_number() ? found->get<double>() : std::nan("");
}

std::string textIn(const nlohmann::json& held, const char* field) {
    const auto found = held.find(field);
    return found != held.end() && found->is_string() ? found->get<std::string>() : "";
}

double halfLifeIn(const nlohmann::json& held) {
    const Nuclide* const nuclide = nuclideIn(textIn(held, "TracerRadionuclide"));
    const double stated = numberIn(held, "RadionuclideHalfLife");
    return stated > 0 ? stated : nuclide != nullptr ? nuclide->halfLife_s : std::nan("");
}

std::string sidecarText(const DynamicInfo& info, const std::optional<Uptake>& uptake) {
    nlohmann::ordered_json text;
    for (const TimeFrame& frame : info.frames) {
        if (frame.duration_s > 0) {
            text["FrameTimesStart"].push_back(frame.start_s);
            text["FrameDuration"].push_back(frame.duration_s);
        }
    }
    const auto known =
        std::find_if(kSpelt.begin(), kSpelt.end(), [&](const auto& one) { return one.second == info.units; });
    text["Units"] = known != kSpelt.end() ? std::string(known->first) : info.units;
    if (info.decay != DecayCorrection::Unknown) {
        text["ImageDecayCorrected"] = info.decay == DecayCorrection::Applied;
        text["ImageDecayCorrectionTime"] = info.decayReference_s;
    }
    if (const Nuclide* const nuclide = nuclideOfHalfLife(uptake ? uptake->halfLife_s : info.halfLife_s)) {
        std::string name = nuclide->name;
        std::erase(name, '-');
        text["TracerRadionuclide"] = name;
    }
    if (uptake) {
        addDose(text, info, *uptake);
    }
    text[kSoftware] = kThisProgram;
    return jsonText(text, 2) + "\n";
}

}  // namespace

FileOfSeveral sidecarFile(const std::string& path, const DynamicInfo& info,
                          const std::optional<Uptake>& uptake) {
    const std::string sidecar = sidecarOf(path);
    return {sidecar, [sidecar, text = sidecarText(info, uptake)](const std::string& temporary) {
                writeTextFile(temporary, sidecar, text);
            }};
}

bool hasOwnSidecar(const std::string& path) {
    try {
        const nlohmann::json held = tryJson(readTextFile(sidecarOf(path)));
        return held.is_object() && held.value(kSoftware, nlohmann::json()) == kThisProgram;
    } catch (const BadInput&) {
        return false;
    }
}

void refuseSidecarOfOthers(const std::string& path) {
    const std::string sidecar = sidecarOf(path);
    if (std::error_code ignored; std::filesystem::exists(sidecar, ignored) && !hasOwnSidecar(path)) {
        throw CannotWrite(
            "{}: is another program's, and the image's times and dose would be written over it; "
            "move it away, or give the image another name",
            sidecar);
    }
}

std::optional<Uptake> uptakeOfSidecar(const std::string& path) {
    const std::string sidecar = sidecarOf(path);
    if (std::error_code ignored; !std::filesystem::exists(sidecar, ignored)) {
        return {};
    }
    nlohmann::json held;
    try {
        held = tryJson(readTextFile(sidecar));
    } catch (const BadInput&) {
        return {};  // what cannot be read beside an image changes nothing of it
    }
    const auto corrected = held.is_object() ? held.find("ImageDecayCorrected") : held.end();
    if (corrected == held.end() || *corrected != nlohmann::json(true)) {
        return {};
    }
    const std::string units = textIn(held, "InjectedRadioactivityUnits");
    Uptake uptake;
    uptake.weight_kg = numberIn(held, "PatientWeight");
    uptake.dose_Bq = (units == "MBq"  ? 1e6
                      : units == "Bq" ? 1.0
                                      : std::nan("")) *
                     numberIn(held, "InjectedRadioactivity");
    uptake.halfLife_s = halfLifeIn(held);
    uptake.waited_s = numberIn(held, "ImageDecayCorrectionTime") - numberIn(held, "InjectionStart");
    uptake.branching = positronsPerDecay(uptake.halfLife_s);
    const double height_m = numberIn(held, "PatientSize");
    uptake.height_m = height_m > 0 ? height_m : 0;
    const std::string sex = textIn(held, "PatientSex");
    uptake.sex = sex == "F" ? Sex::Female : sex == "M" ? Sex::Male : Sex::Unknown;
    const bool known = std::isfinite(uptake.weight_kg) && std::isfinite(uptake.dose_Bq) &&
                       std::isfinite(uptake.halfLife_s) && std::isfinite(uptake.waited_s);
    return known && uptakeFault(uptake).empty() ? std::optional(uptake) : std::nullopt;
}

}  // namespace tof
