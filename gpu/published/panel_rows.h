// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gpu/panel/panel_strategies.h"
#include "gpu/published/published_kernels.h"

namespace tof {

/// `lor`, `symmetric` and `symmetric-shared`, with atomic back projection. `threads`: of a block, a power of
/// two up to 128.
[[nodiscard]] std::vector<PanelStrategyRow> publishedPanelStrategies(int threads = device::kPublishedThreads);

}  // namespace tof
