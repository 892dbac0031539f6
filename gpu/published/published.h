// SPDX-License-Identifier: Apache-2.0
// The strategies as the papers have them, for experiments and measurements; a header without CUDA types.
#pragma once

#include <memory>

namespace tof {

struct CudaStrategies;

/// For loadCudaEngine(). Null where they were not built (TOFSCOPE_PUBLISHED).
[[nodiscard]] std::shared_ptr<const CudaStrategies> publishedStrategies();

}  // namespace tof
