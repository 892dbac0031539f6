// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "gpu/space/cuda_space.h"
#include "recon/systems/panel/panel_matrix.h"

namespace tof {

/// The stored matrix, integrated on a card by the host's own function and put together on host threads beside
/// it. `progress` gets the share done and may throw Cancelled.
[[nodiscard]] PanelMatrix buildPanelMatrix(const PanelGeometry& geometry, const PanelQuadrature& quadrature,
                                           CudaSpace& space, const std::function<void(double)>& progress);

}  // namespace tof
