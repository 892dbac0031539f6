// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gpu/histo/histo_strategies.h"
#include "gpu/lines/line_strategies.h"
#include "gpu/panel/panel_strategies.h"

namespace tof {

/// Strategies of the engine `cuda` for every system, a system's default first.
struct CudaStrategies {
    std::vector<HistoStrategy> histo;
    std::vector<LineStrategyRow> lines;
    std::vector<PanelStrategyRow> panel;
};

}  // namespace tof
