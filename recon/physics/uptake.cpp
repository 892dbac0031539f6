// SPDX-License-Identifier: Apache-2.0
#include "recon/physics/uptake.h"

#include <cmath>
#include <utility>

#include "recon/base/error.h"

namespace tof {

namespace {

/// Grams, or square centimetres, of the body that the dose is shared out over.
double bodyOf(const Uptake& uptake) {
    constexpr double kGramsPerKg = 1000;
    const double height_m = uptake.height_m;
    switch (uptake.body) {
        case SuvBody::Weight: break;
        case SuvBody::LeanMass: {
            const double index = uptake.weight_kg / (height_m * height_m);
            const double divisor = uptake.sex == Sex::Male ? 6680 + 216 * index : 8780 + 244 * index;
            return kGramsPerKg * 9270 * uptake.weight_kg / divisor;
        }
        case SuvBody::Surface:
            return 1e4 * 0.007184 * std::pow(uptake.weight_kg, 0.425) * std::pow(100 * height_m, 0.725);
    }
    return kGramsPerKg * uptake.weight_kg;
}

}  // namespace

SuvBody suvBodyFromName(const std::string& name) {
    for (const auto& [known, body] : {std::pair{"weight", SuvBody::Weight},
                                      {"lean-mass", SuvBody::LeanMass},
                                      {"surface", SuvBody::Surface}}) {
        if (name == known) {
            return body;
        }
    }
    throw WrongUse("no SUV by '{}'; there are weight, lean-mass and surface", name);
}

const char* suvUnits(SuvBody body) {
    return body == SuvBody::Surface ? "cm2/ml" : "g/ml";
}

std::string uptakeFault(const Uptake& uptake) {
    const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
    if (!within(uptake.weight_kg, 1e-3, 1000)) {
        return "the weight must be between 0.001 and 1000 kg";
    }
    if (!within(uptake.dose_Bq, 1e3, 1e11)) {
        return "the dose must be between 1 kBq and 100 GBq";
    }
    if (!within(uptake.halfLife_s, 1, 1e9)) {
        return "the half life must be between 1 s and 30 years";
    }
    constexpr double kDay_s = 86400;
    if (!within(uptake.waited_s, -0.5 * kDay_s, 60 * kDay_s)) {
        return "the time since the injection must be between -12 hours and 60 days";
    }
    constexpr double kMostHalfLives = 12;
    if (std::abs(uptake.waited_s) > kMostHalfLives * uptake.halfLife_s) {
        return "the time since the injection must be at most 12 half lives; later nothing is left to measure";
    }
    constexpr double kFewest = 1e-4;
    if (!within(uptake.branching, kFewest, 1)) {
        return "the positrons per decay must be between 0.0001 and 1";
    }
    if (uptake.body != SuvBody::Weight && !within(uptake.height_m, 0.2, 3)) {
        return "the height must be between 0.2 and 3 m";
    }
    if (uptake.body == SuvBody::LeanMass && uptake.sex == Sex::Unknown) {
        return "the sex must be known, F or M, for the lean mass";
    }
    return {};
}

double suvPerBqMl(const Uptake& uptake) {
    return bodyOf(uptake) / (uptake.dose_Bq * std::exp2(-uptake.waited_s / uptake.halfLife_s));
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
