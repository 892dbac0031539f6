// SPDX-License-Identifier: Apache-2.0
// Sums over the neighbours of a voxel, as priors need them; shared by host and device.
#pragma once

#include <variant>

#include "recon/base/hd.h"
#include "recon/base/lattice.h"

namespace tof {

/// Which voxels of a lattice are neighbours and what each counts. Voxels outside the lattice are none.
struct Neighbourhood {
    static constexpr int kCells = 27;  ///< the voxel itself in the middle, x fastest
    int size[3] = {0, 0, 0};           ///< voxels of the lattice along x, y, z
    float weight[kCells] = {};         ///< weight of the neighbour dx, dy, dz in -1..1; 0: not looked at

    [[nodiscard]] static TOF_HD constexpr int cell(int dx, int dy, int dz) {
        return 9 * (dz + 1) + 3 * (dy + 1) + dx + 1;
    }
    [[nodiscard]] std::size_t voxels() const {
        return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
               static_cast<std::size_t>(size[2]);
    }
};

/// The 6 voxels across faces, or all 26, each with `strength` (spacing along x) / (distance in mm): a nearer
/// neighbour counts more.
[[nodiscard]] Neighbourhood faceNeighbours(const Lattice& lattice, double strength);
[[nodiscard]] Neighbourhood allNeighbours(const Lattice& lattice, double strength);

/// The difference of a voxel's value v and a neighbour's u: v - u. Its weighted sum is the gradient of the
/// quadratic prior 1/2 sum over pairs of weight (v - u)^2.
struct Difference {
    [[nodiscard]] TOF_HD float operator()(float v, float u) const { return v - u; }
};

/// What is added up over the neighbours. Host and device compile the same term: that of a new prior is a
/// struct here and an entry of this list, and no space changes.
using NeighbourTerm = std::variant<Difference>;

}  // namespace tof
