// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/space/cuda_space.h"
#include "recon/seam/engine.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

/// `siddon` (fixed point: no lost updates, the same bits every time), `siddon-atomics`, `siddon-racy` (the
/// published kernel without atomics: updates that collide are lost), `joseph` (fixed point).
[[nodiscard]] std::vector<std::string> cudaLineStrategies();

/// A projector for lines of response; an empty strategy is the model's method in fixed point. Unsupported for
/// a strategy that is not one, or not of the model's method.
[[nodiscard]] ProjectorOrWhyNot makeLineProjector(const LineModel& model, std::shared_ptr<CudaSpace> space,
                                                  const std::string& strategy);

}  // namespace tof
