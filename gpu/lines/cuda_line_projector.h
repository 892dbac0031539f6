// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/lines/line_strategies.h"

namespace tof {

/// `siddon` (fixed point: no lost updates, the same bits every time), `siddon-atomics`, and `joseph` (as
/// `siddon`). A method's first row is its default.
[[nodiscard]] std::vector<LineStrategyRow> cudaLineStrategies();

/// A projector for lines of response; an empty strategy is the first of `rows` for the model's way to follow
/// lines. Unsupported for a strategy that is not one, or follows them in the other way.
[[nodiscard]] ProjectorOrWhyNot makeLineProjector(const std::vector<LineStrategyRow>& rows,
                                                  const LineModel& model, std::shared_ptr<CudaSpace> space,
                                                  const std::string& strategy);

}  // namespace tof
