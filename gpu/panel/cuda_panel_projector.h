// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/space/cuda_space.h"
#include "recon/seam/engine.h"
#include "recon/systems/panel/panel_model.h"

namespace tof {

/// `panel` (no additions to shared memory: the same bits every time), and the published `lor`, `symmetric`
/// and `symmetric-shared` with atomic back projection.
[[nodiscard]] std::vector<std::string> cudaPanelStrategies();

/// A projector for lines of two panels; an empty strategy is `panel`. Unsupported for a strategy that is not
/// one, or a geometry beyond what the kernels count. `threads`: of a block of the published ones, a power of
/// two up to 128.
[[nodiscard]] ProjectorOrWhyNot makePanelProjector(const PanelModel& model, std::shared_ptr<CudaSpace> space,
                                                   const std::string& strategy, int threads = 128);

}  // namespace tof
