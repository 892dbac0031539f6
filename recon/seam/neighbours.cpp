// SPDX-License-Identifier: Apache-2.0
#include "recon/seam/neighbours.h"

#include <cmath>
#include <cstdlib>

namespace tof {

namespace {

/// Neighbours that differ in at most `most` coordinates.
Neighbourhood neighbours(const Lattice& lattice, double strength, int most) {
    Neighbourhood out;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        out.size[axis] = lattice.size[axis];
    }
    const auto& spacing = lattice.spacing_mm;
    for (int dz = -1; dz <= 1; ++dz) {
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const int steps = std::abs(dx) + std::abs(dy) + std::abs(dz);
                if (steps > 0 && steps <= most) {
                    const double distance_mm = norm({dx * spacing[0], dy * spacing[1], dz * spacing[2]});
                    out.weight[Neighbourhood::cell(dx, dy, dz)] =
                        static_cast<float>(strength * spacing[0] / distance_mm);
                }
            }
        }
    }
    return out;
}

}  // namespace

Neighbourhood faceNeighbours(const Lattice& lattice, double strength) {
    return neighbours(lattice, strength, 1);
}

Neighbourhood allNeighbours(const Lattice& lattice, double strength) {
    return neighbours(lattice, strength, 3);
}

}  // namespace tof
