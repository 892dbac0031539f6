// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/lattice_hdf5.h"

#include <fmt/format.h>

#include "recon/base/error.h"
#include "recon/io/bytes/checked_lattice.h"

namespace tof {

Lattice readLattice(const h5::Reader& file, const std::string& dataset) {
    const h5::Shape shape = file.shape(dataset);
    if (shape.size() < 3) {
        throw BadInput(
            fmt::format("{}: dataset '{}' has {} dimensions, expected at least z, y, x; store it so",
                        file.path(), dataset, shape.size()));
    }
    const auto spacing = file.numbers(dataset, "spacing_mm", 3);
    if (!spacing) {
        throw BadInput(
            fmt::format("{}: attribute 'spacing_mm' of '{}' is missing; add the voxel size (x, y, z)",
                        file.path(), dataset));
    }
    std::optional<Vec3> origin;
    if (const auto stored = file.numbers(dataset, "origin_mm", 3)) {
        origin = Vec3{(*stored)[0], (*stored)[1], (*stored)[2]};
    }
    const std::size_t n = shape.size();
    return checkedLattice(file.path(), {shape[n - 1], shape[n - 2], shape[n - 3]},
                          {(*spacing)[0], (*spacing)[1], (*spacing)[2]}, origin);
}

void writeLattice(h5::Writer& file, const std::string& dataset, const Lattice& lattice) {
    file.attribute(dataset, "spacing_mm",
                   std::vector<double>(lattice.spacing_mm.begin(), lattice.spacing_mm.end()));
    file.attribute(dataset, "origin_mm",
                   std::vector<double>{lattice.origin_mm.x, lattice.origin_mm.y, lattice.origin_mm.z});
}

h5::Shape latticeShape(const Lattice& lattice) {
    return {static_cast<std::uint64_t>(lattice.size[2]), static_cast<std::uint64_t>(lattice.size[1]),
            static_cast<std::uint64_t>(lattice.size[0])};
}

}  // namespace tof
