// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/checked_lattice.h"

#include <cmath>

#include "recon/base/error.h"

namespace tof {

Lattice checkedLattice(const std::string& path, const std::array<std::uint64_t, 3>& size,
                       const std::array<double, 3>& spacing_mm, const std::optional<Vec3>& origin_mm) {
    static constexpr std::array<char, 3> kAxis = {'x', 'y', 'z'};
    constexpr std::uint64_t kSide = 65535;
    constexpr double kSpacing_mm = 1e4;
    constexpr double kOrigin_mm = 1e6;
    std::array<int, 3> sides{};
    for (std::size_t k = 0; k < 3; ++k) {
        if (size[k] < 1 || size[k] > kSide) {
            throw BadInput("{}: size of {} voxels along {} is not between 1 and {}; correct the sizes", path,
                           size[k], kAxis[k], kSide);
        }
        if (!(spacing_mm[k] > 0) || !(spacing_mm[k] <= kSpacing_mm)) {
            throw BadInput("{}: voxel spacing of {:g} mm along {} is not between 0 and {:g}; correct it",
                           path, spacing_mm[k], kAxis[k], kSpacing_mm);
        }
        sides[k] = static_cast<int>(size[k]);
    }
    if (size[0] * size[1] * size[2] >= (std::uint64_t{1} << 31U)) {
        throw BadInput("{}: {} x {} x {} voxels are too many (limit 2^31); resample or crop the volume", path,
                       size[0], size[1], size[2]);
    }
    Lattice lattice = Lattice::centred(sides, spacing_mm);
    if (origin_mm) {
        for (const double coordinate : {origin_mm->x, origin_mm->y, origin_mm->z}) {
            if (!(std::abs(coordinate) <= kOrigin_mm)) {
                throw BadInput("{}: origin ({:g}, {:g}, {:g}) mm is not within {:g} mm; correct it", path,
                               origin_mm->x, origin_mm->y, origin_mm->z, kOrigin_mm);
            }
        }
        lattice.origin_mm = *origin_mm;
    }
    return lattice;
}

}  // namespace tof
