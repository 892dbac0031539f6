// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/reference.h"

namespace tof {

namespace {

/// Calls visit(j, i, value) for every voxel j, every tap m and i = j + m inside the lattice.
template <typename Visit>
void forEachPair(const KernelTables& tables, const Lattice& lattice, const Visit& visit) {
    for (int z = 0; z < lattice.size[2]; ++z) {
        for (int y = 0; y < lattice.size[1]; ++y) {
            for (int x = 0; x < lattice.size[0]; ++x) {
                const auto row = tables.row(tables.ids[lattice.index(x, y, 0)]);
                for (std::size_t t = 0; t < tables.taps.size(); ++t) {
                    const KernelTap m = tables.taps[t];
                    if (lattice.contains(x + m.x, y + m.y, z + m.z)) {
                        visit(lattice.index(x, y, z), lattice.index(x + m.x, y + m.y, z + m.z),
                              static_cast<double>(row[t]));
                    }
                }
            }
        }
    }
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
