// SPDX-License-Identifier: Apache-2.0
#include "app/cli/uptake_options.h"

#include "app/cli/arguments.h"
#include "recon/base/error.h"

namespace tof {

void UptakeOptions::describe(Arguments& arguments) {
    arguments.number("weight", weight_kg_, 0, 1000, "SUV: body weight, kg");
    arguments.number("dose", dose_MBq_, 0, 1e6, "SUV: activity at the injection, MBq");
    arguments.number("height", height_m_, 0, 3, "SUV by lean mass or surface: body height, m");
    arguments.choice("sex", sex_, {"unknown", "F", "M"}, "SUV by lean mass");
    arguments.number("waited", waited_min_, -720, 86400,
                     "SUV: minutes from the injection to the time that values are corrected to; 0 where "
                     "they are corrected to the injection, below 0 for a start before it");
    arguments.number("half-life", halfLife_min_, 0.01, 1e7, "SUV: of the nuclide, minutes");
    arguments.number("positrons", positrons_, 0, 1,
                     "SUV of runs: positrons per decay; 0 takes those of the nuclide with that half life");
}

std::optional<Uptake> UptakeOptions::uptake(SuvBody body) const {
    if (weight_kg_ == 0 && dose_MBq_ == 0) {
        return {};
    }
    Uptake uptake{weight_kg_, 1e6 * dose_MBq_, 60 * halfLife_min_, 60 * waited_min_};
    uptake.body = body;
    uptake.height_m = height_m_;
    uptake.sex = sex_ == "F" ? Sex::Female : sex_ == "M" ? Sex::Male : Sex::Unknown;
    uptake.branching = positrons_ > 0 ? positrons_ : positronsPerDecay(uptake.halfLife_s);
    if (const std::string fault = uptakeFault(uptake); !fault.empty()) {
        throw WrongUse("--weight {} --dose {}: {}", weight_kg_, dose_MBq_, fault);
    }
    return uptake;
}

}  // namespace tof
