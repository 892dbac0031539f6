// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "recon/seam/space.h"

namespace tof {

/// Data of a part, and what is projected; mult may be empty.
struct FloorData {
    std::vector<float> y;
    std::vector<float> mult;
    std::vector<float> add;
    std::vector<float> p;
};

/// The discrepancy as ranks with devices make it, whose pieces end at `cuts`: each leaves its share of the
/// floor, and each has all that others have made. Throws Unavailable without CUDA.
[[nodiscard]] std::vector<float> discrepancyInShares(const std::shared_ptr<Space>& space,
                                                     const FloorData& data, Discrepancy kind,
                                                     const std::vector<std::size_t>& cuts);

}  // namespace tof
