// SPDX-License-Identifier: Apache-2.0
// The scatter phantoms of both standards, at activities.
#pragma once

#include <string>
#include <vector>

#include "recon/experiment/nema_run.h"
#include "recon/nema/count_rates.h"

namespace tof {

/// A scatter phantom of a standard.
struct RateTest {
    std::string figures;  ///< what the keys of its figures begin with
    Phantom phantom;
    RateRules rules{};
    double usualShare = 1;  ///< share of NU 2's usual activities
};
/// NU 2's, 700 mm long.
[[nodiscard]] RateTest wholeBodyRates();
/// Those of the request, else the usual ones of the run's size over the phantom's volume, in kBq/ml.
[[nodiscard]] std::vector<double> concentrationsOf(const NemaRun& run, const RateTest& test);

}  // namespace tof
