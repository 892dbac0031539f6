// SPDX-License-Identifier: Apache-2.0
#include "recon/base/lattice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "recon/base/error.h"

namespace tof {

Lattice Lattice::centred(std::array<int, 3> size, std::array<double, 3> spacing_mm) {
    std::uint64_t voxels = 1;
    for (std::size_t k = 0; k < 3; ++k) {
        if (size[k] < 1 || size[k] > 65535) {
            throw WrongUse("a lattice side of {} voxels is not between 1 and 65535", size[k]);
        }
        if (!(spacing_mm[k] > 0) || !std::isfinite(spacing_mm[k])) {
            throw WrongUse("a voxel size of {} mm is not positive", spacing_mm[k]);
        }
        voxels *= static_cast<std::uint64_t>(size[k]);
    }
    if (voxels >= (std::uint64_t{1} << 31U)) {
        throw WrongUse("a lattice of {} voxels is too large (limit 2^31)", voxels);
    }
    Lattice lattice;
    lattice.size = size;
    lattice.spacing_mm = spacing_mm;
    lattice.origin_mm = {-0.5 * (size[0] - 1) * spacing_mm[0], -0.5 * (size[1] - 1) * spacing_mm[1],
                         -0.5 * (size[2] - 1) * spacing_mm[2]};
    return lattice;
}

VoxelIndex Lattice::voxel(std::size_t index) const {
    const auto nx = static_cast<std::size_t>(size[0]);
    const auto ny = static_cast<std::size_t>(size[1]);
    return {static_cast<int>(index % nx), static_cast<int>(index / nx % ny),
            static_cast<int>(index / nx / ny)};
}

VoxelIndex Lattice::voxelAt(Vec3 p) const {
    const Vec3 at = continuousIndex(p);
    VoxelIndex voxel{};
    for (std::size_t k = 0; k < 3; ++k) {
        voxel[k] = static_cast<int>(std::floor(std::clamp(at[k], -1e6, 1e6) + 0.5));
    }
    return voxel;
}

Box latticeBox(const Lattice& lattice) {
    Box box{lattice.centre(-0.5, -0.5, -0.5), {}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        box.high[axis] = box.low[axis] + lattice.spacing_mm[axis] * lattice.size[axis];
    }
    return box;
}

std::string Lattice::text() const {
    return fmt::format("{} x {} x {}, {:g} x {:g} x {:g} mm", size[0], size[1], size[2], spacing_mm[0],
                       spacing_mm[1], spacing_mm[2]);
}

}  // namespace tof
