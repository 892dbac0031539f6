// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/histo/gather.h"
#include "gpu/space/cuda_space.h"
#include "gpu/space/cuda_strategy.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

/// A way to project histo-images.
struct HistoStrategy : CudaStrategy {
    ProjectorOrWhyNot (*make)(const DirectModel& model, std::shared_ptr<CudaSpace> space) = nullptr;
};

/// The strategies that reconstructions use, the default first.
[[nodiscard]] std::vector<HistoStrategy> histoStrategies();

/// Forward and back of a kernel with a variant for each.
[[nodiscard]] std::vector<StrategyKernel> bothWays(const void* (*function)(device::Gather gather),
                                                   int threads, std::size_t dynamicShared = 0);

/// A projector for histo-images; an empty strategy is the first of `rows`. Unsupported for a strategy that is
/// not one, or not for such a kernel.
[[nodiscard]] ProjectorOrWhyNot makeHistoProjector(const std::vector<HistoStrategy>& rows,
                                                   const DirectModel& model, std::shared_ptr<CudaSpace> space,
                                                   const std::string& strategy);

}  // namespace tof
