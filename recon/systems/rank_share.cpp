// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/rank_share.h"

#include <algorithm>

#include "recon/algorithm/part_shares.h"
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
    const auto ranks = static_cast<std::size_t>(request.size);
    const std::vector<std::vector<std::size_t>> begins = shareBegins(request.blocks, ranks);
    for (std::size_t b = 0; b < begins.size(); ++b) {
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            for (std::size_t i = begins[b][rank]; i < begins[b][rank + 1]; ++i) {
                owners[request.blocks[b][i]] = static_cast<int>(rank);
            }
        }
    }
    return owners;
}

std::vector<PartStretch> evenStretches(const RankRequest& request, const std::vector<std::size_t>& sizes) {
    std::vector<PartStretch> stretches(sizes.size());
    const auto full = [&](std::size_t part) { return sizes[part] >= sizes.front() - sizes.front() / 16; };
    for (const auto& block : request.blocks) {
        const auto fullParts = static_cast<std::size_t>(std::count_if(block.begin(), block.end(), full));
        const std::size_t perRank = fullParts / static_cast<std::size_t>(request.size);
        const std::size_t dealt = perRank * static_cast<std::size_t>(request.size);
        std::size_t turn = 0;
        std::vector<std::size_t> left;
        std::size_t leftSize = 0;
        for (const std::size_t part : block) {
            if (!full(part) || turn == dealt) {
                left.push_back(part);
                leftSize += sizes[part];
            } else if (turn++ / perRank == static_cast<std::size_t>(request.rank)) {
                stretches[part].end = sizes[part];
            }
        }
        const RankRange mine = rangeOf(leftSize, request.rank, request.size);
        std::size_t first = 0;  // the first of the part, among what is left
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
