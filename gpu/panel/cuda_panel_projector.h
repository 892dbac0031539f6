// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/panel/panel_strategies.h"

namespace tof {

/// `panel` (no additions to shared memory: the same bits every time).
[[nodiscard]] std::vector<PanelStrategyRow> cudaPanelStrategies();

/// A projector for lines of two panels; an empty strategy is the first of `rows`. Unsupported for a strategy
/// that is not one, or a geometry beyond what the kernels count.
[[nodiscard]] ProjectorOrWhyNot makePanelProjector(const std::vector<PanelStrategyRow>& rows,
                                                   const PanelModel& model, std::shared_ptr<CudaSpace> space,
                                                   const std::string& strategy);

}  // namespace tof
