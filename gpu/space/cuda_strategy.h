// SPDX-License-Identifier: Apache-2.0
// What every row of a strategy on a card says.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/space/cuda_device.h"
#include "recon/seam/engine.h"

namespace tof {

/// A kernel that a strategy launches, for figures of what it takes of a card.
struct StrategyKernel {
    const char* projection;  ///< "forward", "back", or what else it does
    const void* function;
    int threads;  ///< those of a block
    std::size_t dynamicShared = 0;
};

struct CudaStrategy : Strategy {
    /// Its kernels where the card can run them; null: nobody asks.
    std::vector<StrategyKernel> (*kernels)(const CudaDevice& device) = nullptr;
};

/// Names of rows, for a sentence about one that is not there.
template <class Rows>
[[nodiscard]] std::vector<std::string> namesOf(const Rows& rows) {
    std::vector<std::string> names;
    for (const CudaStrategy& row : rows) {
        names.push_back(row.name);
    }
    return names;
}

}  // namespace tof
