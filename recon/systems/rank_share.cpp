// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/rank_share.h"

#include <algorithm>

namespace tof {

bool everyRankHasParts(const RankRequest& request) {
    return std::all_of(request.blocks.begin(), request.blocks.end(), [&](const auto& block) {
        return block.size() >= static_cast<std::size_t>(request.size);
    });
}

std::vector<int> ownersOfParts(const RankRequest& request) {
    std::size_t parts = 0;
    for (const auto& block : request.blocks) {
        parts += block.size();
    }
    std::vector<int> owners(parts, 0);
    std::size_t turn = 0;  // goes on from block to block, so that nobody is always the one with more
    for (const auto& block : request.blocks) {
        for (const std::size_t part : block) {
            owners[part] = static_cast<int>(turn++ % static_cast<std::size_t>(request.size));
        }
    }
    return owners;
}

std::vector<float> slicesOf(std::span<const float> all, std::span<const std::size_t> parts,
                            std::size_t size) {
    std::vector<float> slices;
    if (all.empty()) {
        return slices;
    }
    slices.reserve(parts.size() * size);
    for (const std::size_t part : parts) {
        const std::span<const float> one = all.subspan(part * size, size);
        slices.insert(slices.end(), one.begin(), one.end());
    }
    return slices;
}

}  // namespace tof
