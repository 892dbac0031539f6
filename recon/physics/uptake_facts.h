// SPDX-License-Identifier: Apache-2.0
// What a file states of dose, times and patient, and what becomes of it: an Uptake, or why there is none.
#pragma once

#include <optional>
#include <string>

#include "recon/physics/uptake.h"

namespace tof {

enum class InjectionTime { OfDay, Dated };

/// As DICOM states it, in its words; 0 or empty: not stated.
struct UptakeFacts {
    std::string units;       ///< what values are in: BQML, GML, CM2ML, ...
    std::string correction;  ///< what they are decay-corrected to: NONE, START or ADMIN
    double weight_kg = 0;
    double height_m = 0;
    std::string sex;  ///< F, M, O
    double dose_Bq = 0;
    double halfLife_s = 0;
    const Nuclide* nuclide = nullptr;   ///< the nuclide named, where it is one of petNuclides()
    std::optional<double> injection_s;  ///< s since 1970; OfDay: on the day of the series
    InjectionTime injection = InjectionTime::OfDay;
    [[nodiscard]] bool operator==(const UptakeFacts&) const = default;
};

struct UptakeFound {
    std::optional<Uptake> uptake;
    std::string said;    ///< how it was made, or why there is none
    std::string remark;  ///< what was assumed, or stated that cannot be; or empty
};

/// Values in Bq/ml become SUV by `body` with the dose that is left at the time that they are corrected to: of
/// START the first start of the scan (`start_s`, which takes `length_s`), of ADMIN the injection. There is no
/// SUV where something is missing, and where something cannot be: a dose below 1 kBq, a half life that is not
/// the nuclide's to 5 %, an injection after the scan, more than 12 half lives. An injection up to two hours,
/// or the length of the scan, behind the start belongs to a dynamic scan. One of no date that would lie most
/// of a day behind it was given the day before. Both are remarked on.
[[nodiscard]] UptakeFound uptakeFrom(const UptakeFacts& facts, SuvBody body, std::optional<double> start_s,
                                     double length_s);

}  // namespace tof
