// SPDX-License-Identifier: Apache-2.0
// What the column strategy's plans are, behind a header without CUDA types. Needs no device.
#pragma once

#include <cstddef>
#include <vector>

#include "recon/systems/histo/histo_model.h"

namespace tof {

/// How many of the views `some` of a model get another plan when the model has them alone than when it has
/// all its views, on a card like an H200. Throws Unavailable without CUDA.
[[nodiscard]] int countPlansThatDiffer(const DirectModel& model, const std::vector<std::size_t>& some);

}  // namespace tof
