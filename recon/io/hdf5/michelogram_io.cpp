// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/michelogram_io.h"

#include <fmt/format.h>

#include <cmath>

#include "recon/base/error.h"
#include "recon/io/bytes/checked_lattice.h"
#include "recon/io/hdf5/volume_hdf5.h"

namespace tof {

Lattice readImageLattice(const h5::Reader& file, const char* dataset) {
    const auto size = file.numbers(dataset, "image_size", 3);
    const auto spacing = file.numbers(dataset, "spacing_mm", 3);
    const auto origin = file.numbers(dataset, "origin_mm", 3);
    if (!size || !spacing || !origin) {
        throw BadInput(fmt::format(
            "{}: '{}' lacks 'image_size', 'spacing_mm' or 'origin_mm' of the image; make the file again",
            file.path(), dataset));
    }
    std::array<std::uint64_t, 3> sides{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double side = (*size)[k];
        sides[k] =
            side >= 0 && side <= 65535 && side == std::floor(side) ? static_cast<std::uint64_t>(side) : 0;
    }
    return checkedLattice(file.path(), sides, {(*spacing)[0], (*spacing)[1], (*spacing)[2]},
                          Vec3{(*origin)[0], (*origin)[1], (*origin)[2]});
}

std::shared_ptr<const Michelogram> readMichelogram(const h5::Reader& file, const char* dataset) {
    const auto json = file.textAttribute(dataset, "michelogram");
    return json ? std::make_shared<const Michelogram>(MichelogramSpec::fromJson(*json, file.path()))
                : nullptr;
}

std::shared_ptr<const Michelogram> requireMichelogram(const h5::Reader& file, const char* dataset) {
    auto michelogram = readMichelogram(file, dataset);
    if (!michelogram) {
        throw BadInput(fmt::format("{}: '{}' lacks the attribute 'michelogram'; make the file again",
                                   file.path(), dataset));
    }
    return michelogram;
}

void writeModel(h5::Writer& file, const char* dataset, const Michelogram* michelogram,
                const Lattice& lattice) {
    if (michelogram != nullptr) {
        file.attribute(dataset, "michelogram", michelogram->spec().toJson());
    }
    file.attribute(dataset, "image_size", std::vector<double>(lattice.size.begin(), lattice.size.end()));
    writeLattice(file, dataset, lattice);
}

double readCalibration(const h5::Reader& file) {
    return file.numbers("/", "calibration_factor", 1).value_or(std::vector<double>{1.0})[0];
}

ContentHash modelHash(const std::string& scanner, const Lattice& lattice) {
    ContentHash hash;
    hash.add(scanner.data(), scanner.size());
    hash.add(lattice.size.data(), sizeof(lattice.size));
    hash.add(lattice.spacing_mm.data(), sizeof(lattice.spacing_mm));
    hash.add(&lattice.origin_mm, sizeof(lattice.origin_mm));
    return hash;
}

}  // namespace tof
