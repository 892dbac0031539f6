// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/rank_share.h"

#include <algorithm>

#include "recon/ranks/rank_range.h"

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

std::vector<PartStretch> evenStretches(const RankRequest& request, const std::vector<std::size_t>& sizes) {
    std::vector<PartStretch> stretches(sizes.size());
    const auto ranks = static_cast<std::size_t>(request.size);
    for (const auto& block : request.blocks) {
        const auto full = [&](std::size_t part) { return sizes[part] == sizes.front(); };
        const auto fullParts = static_cast<std::size_t>(std::count_if(block.begin(), block.end(), full));
        const std::size_t dealt = fullParts / ranks * ranks;
        std::size_t turn = 0;
        std::vector<std::size_t> left;
        std::size_t leftSize = 0;
        for (const std::size_t part : block) {
            if (!full(part) || turn == dealt) {
                left.push_back(part);
                leftSize += sizes[part];
            } else if (turn++ % ranks == static_cast<std::size_t>(request.rank)) {
                stretches[part].end = sizes[part];
            }
        }
        const RankRange mine = rangeOf(leftSize, request.rank, request.size);
        std::size_t first = 0;  // of the part, among what is left
        for (const std::size_t part : left) {
            const auto within = [&](std::size_t place) {
                return std::clamp(place, first, first + sizes[part]) - first;
            };
            stretches[part] = {within(mine.begin), within(mine.end), false};
            first += sizes[part];
        }
    }
    return stretches;
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
