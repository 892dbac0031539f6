// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gpu/space/cuda_space.h"
#include "recon/systems/panel/panel_matrix.h"

namespace tof {

/// A PanelKernelMaker: kernels integrated on a card by the host's own function, and put together on host
/// threads beside it, in the order in which they are wanted.
void makePanelKernels(const PanelMatrix& plan, std::span<const int> wanted, CudaSpace& space,
                      PanelKernelSink& sink);

}  // namespace tof
