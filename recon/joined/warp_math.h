// SPDX-License-Identifier: Apache-2.0
// Which voxels a warp takes from: one arithmetic for host and device.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "recon/base/hd.h"

namespace tof {

/// A warp but for its displacements, by axes x, y, z. Plain data.
struct WarpMap {
    std::int32_t from[3];  ///< voxels of the lattice that is taken from
    std::int32_t to[3];
    double first[3];  ///< where the first voxel of `to` takes from, in voxels of `from`
    double step[3];   ///< how far from there the next one does
    double perMm[3];  ///< voxels of `from`
    double factor;
};

/// Calls visit(voxel of `from`, weight) for those that the voxel `at` of `to` takes from, which lies `mm`
/// off.
template <typename Visit>
TOF_HD inline void forEachSource(const WarpMap& map, const std::int32_t* at, const double* mm,
                                 const Visit& visit) {
    std::int32_t low[3];
    double up[3];
    for (int axis = 0; axis < 3; ++axis) {
        const double place = map.first[axis] + map.step[axis] * at[axis] + map.perMm[axis] * mm[axis];
        if (!(place > -1 && place < map.from[axis])) {
            return;
        }
        const double below = std::floor(place);
        low[axis] = static_cast<std::int32_t>(below);
        up[axis] = place - below;
    }
    for (int row = 0; row < 4; ++row) {
        const std::int32_t y = low[1] + (row & 1);
        const std::int32_t z = low[2] + (row >> 1);
        if (y < 0 || y >= map.from[1] || z < 0 || z >= map.from[2]) {
            continue;
        }
        const double weight =
            map.factor * ((row & 1) == 1 ? up[1] : 1 - up[1]) * (row >= 2 ? up[2] : 1 - up[2]);
        const std::size_t source = (static_cast<std::size_t>(z) * static_cast<std::size_t>(map.from[1]) +
                                    static_cast<std::size_t>(y)) *
                                   static_cast<std::size_t>(map.from[0]);
        if (low[0] >= 0) {
            visit(source + static_cast<std::size_t>(low[0]), weight * (1 - up[0]));
        }
        if (low[0] + 1 < map.from[0]) {
            visit(source + static_cast<std::size_t>(low[0] + 1), weight * up[0]);
        }
    }
}

}  // namespace tof
