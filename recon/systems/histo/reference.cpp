// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/reference.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tof {

namespace {

/// The corners of the box that taps lie in.
std::array<KernelTap, 2> boxOf(const std::vector<KernelTap>& taps) {
    std::array<KernelTap, 2> reach{};
    for (const KernelTap m : taps) {
        reach[0] = {std::min(reach[0].x, m.x), std::min(reach[0].y, m.y), std::min(reach[0].z, m.z)};
        reach[1] = {std::max(reach[1].x, m.x), std::max(reach[1].y, m.y), std::max(reach[1].z, m.z)};
    }
    return reach;
}

/// Calls visit(j, i, value) for every voxel j, every tap m and i = j + m inside the lattice.
template <typename Visit>
void forEachPair(const KernelTables& tables, const Lattice& lattice, const Visit& visit) {
    const std::array<KernelTap, 2> box = boxOf(tables.taps);
    std::vector<std::ptrdiff_t> offsets;  // of i from j
    for (const KernelTap m : tables.taps) {
        offsets.push_back((std::ptrdiff_t{m.z} * lattice.size[1] + m.y) * lattice.size[0] + m.x);
    }
    std::size_t j = 0;
    lattice.forEachVoxel([&](int x, int y, int z) {
        const auto row = tables.row(tables.ids[lattice.index(x, y, 0)]);
        const bool inside = lattice.contains(x + box[0].x, y + box[0].y, z + box[0].z) &&
                            lattice.contains(x + box[1].x, y + box[1].y, z + box[1].z);
        for (std::size_t t = 0; t < offsets.size(); ++t) {
            const KernelTap m = tables.taps[t];
            if (inside || lattice.contains(x + m.x, y + m.y, z + m.z)) {
                visit(j, j + static_cast<std::size_t>(offsets[t]), static_cast<double>(row[t]));
            }
        }
        ++j;
    });
}

}  // namespace

std::vector<double> referenceForward(const KernelTables& tables, const Lattice& lattice,
                                     const std::vector<float>& x) {
    std::vector<double> out(lattice.voxels(), 0.0);
    forEachPair(tables, lattice, [&](std::size_t j, std::size_t i, double value) {
        out[i] += value * static_cast<double>(x[j]);
    });
    return out;
}

std::vector<double> referenceBack(const KernelTables& tables, const Lattice& lattice,
                                  const std::vector<float>& y) {
    std::vector<double> out(lattice.voxels(), 0.0);
    forEachPair(tables, lattice, [&](std::size_t j, std::size_t i, double value) {
        out[j] += value * static_cast<double>(y[i]);
    });
    return out;
}

}  // namespace tof
