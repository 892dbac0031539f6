// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/measured_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/io/bytes/checked_lattice.h"
#include "recon/io/hdf5/lattice_hdf5.h"

namespace tof {

namespace {

bool fitsUint16(const std::vector<float>& counts) {
    constexpr float kMost = 65535.0F;
    bool fits = true;
    for (const float count : counts) {
        fits =
            fits && count >= 0.0F && count <= kMost && count == static_cast<float>(static_cast<int>(count));
    }
    return fits;
}

}  // namespace

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

double readCalibration(const h5::Reader& file, const std::string& owner) {
    return file.numbers(owner, "calibration_factor", 1).value_or(std::vector<double>{1.0})[0];
}

void writeCounts(h5::Writer& file, const char* dataset, const h5::Shape& shape,
                 const std::vector<float>& counts) {
    if (!fitsUint16(counts)) {
        file.write(dataset, shape, counts.data());
        return;
    }
    // Few counts in many voxels or bins: nearly all bytes are zero, so deflate pays here and only here.
    file.create<std::uint16_t>(dataset, shape, {{1, shape[1], shape[2], shape[3]}, true});
    const std::size_t row = counts.size() / shape[0];
    std::vector<std::uint16_t> buffer(row);
    for (std::size_t slot = 0; slot < shape[0]; ++slot) {
        const float* const from = counts.data() + slot * row;
        std::transform(from, from + row, buffer.begin(),
                       [](float count) { return static_cast<std::uint16_t>(count); });
        file.writeRows(dataset, slot, 1, buffer.data());
    }
}

void writeArrays(h5::Writer& file, const h5::Shape& shape,
                 std::initializer_list<std::pair<const char*, const std::vector<float>*>> arrays) {
    for (const auto& [name, values] : arrays) {
        if (!values->empty()) {
            file.write(name, shape, values->data());
        }
    }
}

}  // namespace tof
