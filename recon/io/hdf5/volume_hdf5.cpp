// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/volume_hdf5.h"

#include <fmt/format.h>

#include <algorithm>

#include "recon/base/error.h"
#include "recon/io/hdf5/lattice_hdf5.h"

namespace tof {

namespace {

/// Noise in the mantissa does not compress; empty space does.
bool mostlyZero(const std::vector<float>& values) {
    return 2 * std::count(values.begin(), values.end(), 0.0F) > static_cast<std::ptrdiff_t>(values.size());
}

}  // namespace

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
        throw InternalError(
            fmt::format("an image of {} values does not fit a lattice of {}", values.size(), lattice.text()));
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
