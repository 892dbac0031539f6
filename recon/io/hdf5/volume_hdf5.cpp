// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/volume_hdf5.h"

#include <algorithm>

#include "recon/base/error.h"
#include "recon/io/bytes/checked_lattice.h"

namespace tof {

namespace {

/// Noise in the mantissa does not compress; empty space does.
bool mostlyZero(const std::vector<float>& values) {
    return 2 * std::count(values.begin(), values.end(), 0.0F) > static_cast<std::ptrdiff_t>(values.size());
}

}  // namespace

Lattice readLattice(const h5::Reader& file, const std::string& dataset) {
    const h5::Shape shape = file.shape(dataset);
    if (shape.size() < 3) {
        throw BadInput("{}: dataset '{}' has {} dimensions, expected at least z, y, x; store it so",
                       file.path(), dataset, shape.size());
    }
    const auto spacing = file.numbers(dataset, "spacing_mm", 3);
    if (!spacing) {
        throw BadInput("{}: attribute 'spacing_mm' of '{}' is missing; add the voxel size (x, y, z)",
                       file.path(), dataset);
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

Volume readVolumeDataset(const h5::Reader& file, const std::string& dataset) {
    const Lattice lattice = readLattice(file, dataset);
    Volume volume;
    volume.data = file.read<float>(dataset, latticeShape(lattice));
    volume.lattice = lattice;
    volume.units = file.textAttribute(dataset, "units").value_or("");
    return volume;
}

void writeVolumeDataset(h5::Writer& file, const std::string& dataset, const Lattice& lattice,
                        const std::vector<float>& values, const std::string& units) {
    if (values.size() != lattice.voxels()) {
        throw InternalError("an image of {} values does not fit a lattice of {}", values.size(),
                            lattice.text());
    }
    const h5::Shape shape = latticeShape(lattice);
    const bool compress = mostlyZero(values);
    file.write(dataset, shape, values.data(),
               compress ? h5::Layout{{1, shape[1], shape[2]}, true} : h5::Layout{});
    writeLattice(file, dataset, lattice);
    file.attribute(dataset, "units", units);
}

void writeVolumeHdf5(const std::string& path, const Volume& volume) {
    h5::writeFile(path, [&](h5::Writer& file) {
        writeVolumeDataset(file, "/image", volume.lattice, volume.data, volume.units);
    });
}

}  // namespace tof
