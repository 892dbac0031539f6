// SPDX-License-Identifier: Apache-2.0
#include "recon/base/cropped_volume.h"

#include <algorithm>

namespace tof {

std::optional<Volume> cropped(const Volume& volume) {
    VoxelIndex low = volume.lattice.size;
    VoxelIndex high{-1, -1, -1};
    volume.lattice.forEachVoxel([&](int x, int y, int z) {
        if (volume.at(x, y, z) != 0) {
            const VoxelIndex at{x, y, z};
            for (std::size_t k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], at[k]);
                high[k] = std::max(high[k], at[k]);
            }
        }
    });
    if (high[0] < 0) {
        return std::nullopt;
    }
    Lattice part = volume.lattice;
    part.origin_mm = volume.lattice.centre(low);
    part.size = {high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1};
    Volume result(part);
    part.forEachVoxel(
        [&](int x, int y, int z) { result.at(x, y, z) = volume.at(x + low[0], y + low[1], z + low[2]); });
    return result;
}

}  // namespace tof
