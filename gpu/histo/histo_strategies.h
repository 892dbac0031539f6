// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/space/cuda_space.h"
#include "recon/seam/engine.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

/// Names of the strategies for histo-images, the default first.
[[nodiscard]] std::vector<std::string> histoStrategies();

/// A projector for histo-images; an empty strategy is the default. Unsupported for a strategy that is not
/// one, or not for such a kernel.
[[nodiscard]] ProjectorOrWhyNot makeHistoProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                                                   const std::string& strategy);

}  // namespace tof
