// SPDX-License-Identifier: Apache-2.0
#include "recon/physics/uptake.h"

#include <cmath>

namespace tof {

std::string uptakeFault(const Uptake& uptake) {
    const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
    if (!within(uptake.weight_kg, 1e-3, 1000)) {
        return "the weight must be between 0.001 and 1000 kg";
    }
    if (!within(uptake.dose_Bq, 1, 1e12)) {
        return "the dose must be between 1 Bq and 1000 GBq";
    }
    if (!within(uptake.halfLife_s, 1, 1e9)) {
        return "the half life must be between 1 s and 30 years";
    }
    constexpr double kTwoDays_s = 172800;
    if (!within(uptake.waited_s, 0, kTwoDays_s)) {
        return "the time since the injection must be between 0 and two days";
    }
    constexpr double kFewest = 1e-4;
    if (!within(uptake.branching, kFewest, 1)) {
        return "the positrons per decay must be between 0.0001 and 1";
    }
    return {};
}

double suvPerBqMl(const Uptake& uptake) {
    constexpr double kGramsPerKg = 1000;
    return kGramsPerKg * uptake.weight_kg /
           (uptake.dose_Bq * std::exp2(-uptake.waited_s / uptake.halfLife_s));
}

double bqMlPerStored(const std::string& units, const Lattice& lattice, double duration_s,
                     const Uptake& nuclide) {
    constexpr double kMm3PerMl = 1000;
    if (units == "Bq/ml") {
        return 1;
    }
    if (units == "kBq/ml") {
        return 1000;
    }
    if (units != kEmissionsPerVoxel || !(duration_s > 0)) {
        return 0;
    }
    const auto& edge = lattice.spacing_mm;
    const double positronsPerMlAndS = kMm3PerMl / (edge[0] * edge[1] * edge[2]) / duration_s;
    return positronsPerMlAndS / nuclide.branching * startOverMean(duration_s, nuclide.halfLife_s);
}

double suvPerStored(const std::string& units, const Lattice& lattice, double duration_s,
                    const Uptake& uptake) {
    return bqMlPerStored(units, lattice, duration_s, uptake) * suvPerBqMl(uptake);
}

}  // namespace tof
