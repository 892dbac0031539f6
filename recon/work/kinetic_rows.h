// SPDX-License-Identifier: Apache-2.0
// The one table of what can be asked of a kinetic model.
#pragma once

#include <vector>

#include "recon/base/request_row.h"
#include "recon/work/kinetics_request.h"

namespace tof {

[[nodiscard]] const std::vector<RequestRow<KineticsRequest>>& kineticRows();
/// Rows of what curves ask for, too.
[[nodiscard]] const std::vector<RequestRow<DecayRequest>>& decayRows();

}  // namespace tof
