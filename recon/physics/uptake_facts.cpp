// SPDX-License-Identifier: Apache-2.0
#include "recon/physics/uptake_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tof {

namespace {

UptakeFound impossible(const std::string& why) {
    return {{}, why, "there is no SUV: " + why};
}

/// From the injection to the start; nothing where the two contradict each other.
std::optional<double> waited(const UptakeFacts& facts, double start_s, double length_s, std::string& remark) {
    constexpr double kDay_s = 86400;
    constexpr double kDynamic_s = 7200;
    const double passed_s = start_s - *facts.injection_s;
    if (passed_s >= 0) {
        return passed_s;
    }
    if (-passed_s <= std::max(kDynamic_s, length_s)) {
        remark = fmt::format(
            "the dose was given {:g} s after the start of the scan, that values are corrected to", -passed_s);
        return passed_s;
    }
    if (facts.injection == InjectionTime::OfDay && -passed_s > 0.5 * kDay_s) {
        remark =
            "attribute 'Radiopharmaceutical Start Time' lies behind the scan: taken as that of the day "
            "before";
        return passed_s + kDay_s;
    }
    return {};
}

/// The half life; 0 where nobody says it, below 0 where it is not the nuclide's.
double halfLifeOf(const UptakeFacts& facts) {
    constexpr double kNear = 0.05;
    if (facts.nuclide == nullptr || !(facts.halfLife_s > 0)) {
        return facts.nuclide != nullptr && facts.halfLife_s == 0 ? facts.nuclide->halfLife_s
                                                                 : facts.halfLife_s;
    }
    const bool near = std::abs(facts.halfLife_s / facts.nuclide->halfLife_s - 1) <= kNear;
    return near ? facts.halfLife_s : -1;
}

}  // namespace

UptakeFound uptakeFrom(const UptakeFacts& facts, SuvBody body, std::optional<double> start_s,
                       double length_s) {
    if (facts.units != "BQML") {
        return {{}, "attribute 'Units' is not BQML", ""};
    }
    if (facts.weight_kg == 0 || facts.dose_Bq == 0) {
        return {{}, "attribute 'Patient's Weight' or 'Radionuclide Total Dose' is missing", ""};
    }
    if (facts.correction != "START" && facts.correction != "ADMIN") {
        return {{},
                fmt::format("attribute 'Decay Correction' is '{}', not START or ADMIN", facts.correction),
                ""};
    }
    const bool toStart = facts.correction == "START";
    const double halfLife_s = halfLifeOf(facts);
    if (halfLife_s < 0 && facts.nuclide != nullptr) {
        return impossible(fmt::format("attribute 'Radionuclide Half Life' is {:g} s, but {} has {:g} s",
                                      facts.halfLife_s, facts.nuclide->name, facts.nuclide->halfLife_s));
    }
    if (toStart && (!start_s || !facts.injection_s || halfLife_s == 0)) {
        return {{}, "start of scan, time of injection or half life is missing", ""};
    }
    UptakeFound found;
    Uptake uptake;
    uptake.weight_kg = facts.weight_kg;
    uptake.dose_Bq = facts.dose_Bq;
    uptake.halfLife_s = halfLife_s != 0 ? halfLife_s : uptake.halfLife_s;
    uptake.branching = positronsPerDecay(uptake.halfLife_s);
    uptake.body = body;
    uptake.height_m = facts.height_m;
    uptake.sex = facts.sex == "F" ? Sex::Female : facts.sex == "M" ? Sex::Male : Sex::Unknown;
    if (toStart) {
        const std::optional<double> passed_s = waited(facts, *start_s, length_s, found.remark);
        if (!passed_s) {
            return impossible(fmt::format("the injection lies {:g} s behind the start of the scan",
                                          *facts.injection_s - *start_s));
        }
        uptake.waited_s = *passed_s;
    }
    if (const std::string fault = uptakeFault(uptake); !fault.empty()) {
        return impossible(
            fmt::format("{} (dose {:g} Bq, half life {:g} s, the scan starts {:g} s after the injection)",
                        fault, uptake.dose_Bq, uptake.halfLife_s, uptake.waited_s));
    }
    if (facts.halfLife_s == 0 && toStart) {
        found.remark += fmt::format("{}the half life is that of {}, the files state none",
                                    found.remark.empty() ? "" : "; ", facts.nuclide->name);
    }
    const double left_Bq = uptake.dose_Bq * std::exp2(-uptake.waited_s / uptake.halfLife_s);
    found.uptake = uptake;
    found.said = fmt::format("{:g} kg, {:g} MBq given, {:g} MBq {:g} s later", uptake.weight_kg,
                             1e-6 * uptake.dose_Bq, 1e-6 * left_Bq, uptake.waited_s);
    return found;
}

}  // namespace tof
