// SPDX-License-Identifier: Apache-2.0
// The panel system at its full size on a card: the matrix, every strategy, a whole reconstruction.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "recon/seam/engine.h"
#include "tests/bench/gpu_ceilings.h"

namespace tof {

/// `crystals` of a head, 104 x 72 in the paper. Prints as it goes. Throws what the engine throws.
[[nodiscard]] nlohmann::json panelBench(const Engine& cuda, const GpuCeilings& ceilings, int crystalsY,
                                        int crystalsZ);

}  // namespace tof
