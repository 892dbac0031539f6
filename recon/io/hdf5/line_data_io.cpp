// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/line_data_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/content_hash.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/michelogram_io.h"

namespace tof {

namespace {

constexpr const char* kCounts = "/sinogram/counts";
constexpr const char* kMult = "/corrections/mult";
constexpr const char* kAdd = "/corrections/add";

h5::Shape shapeOf(const Michelogram& m) {
    return {static_cast<std::uint64_t>(m.angles()), m.sinograms().size(),
            static_cast<std::uint64_t>(m.radialBins()), static_cast<std::uint64_t>(m.timeBins())};
}

/// One azimuth at a time.
std::vector<float> readArray(const h5::Reader& file, const char* dataset, const Michelogram& m) {
    if (file.shape(dataset) != shapeOf(m)) {
        throw BadInput(fmt::format("{}: '{}' does not have the sizes of the michelogram; make the file again",
                                   file.path(), dataset));
    }
    const std::size_t row = m.bins() / static_cast<std::size_t>(m.angles());
    std::vector<float> values(m.bins());
    for (std::size_t slot = 0; slot < static_cast<std::size_t>(m.angles()); ++slot) {
        float* const out = values.data() + slot * row;
        file.readRows(dataset, slot, 1, out);
        if (!std::all_of(out, out + row,
                         [](float v) { return v >= 0.0F && v <= std::numeric_limits<float>::max(); })) {
            throw BadInput(fmt::format("{}: '{}' has values that are negative or not finite; correct them",
                                       file.path(), dataset));
        }
    }
    return values;
}

bool fitsUint16(const std::vector<float>& counts) {
    return std::all_of(counts.begin(), counts.end(), [](float count) {
        return count >= 0.0F && count <= 65535.0F && count == std::floor(count);
    });
}

void writeCounts(h5::Writer& file, const SinogramData& data) {
    const h5::Shape shape = shapeOf(*data.michelogram);
    if (!fitsUint16(data.counts)) {
        file.write(kCounts, shape, data.counts.data());
        return;
    }
    file.create<std::uint16_t>(kCounts, shape, {{1, shape[1], shape[2], shape[3]}, true});
    const std::size_t row = data.counts.size() / shape[0];
    std::vector<std::uint16_t> buffer(row);
    for (std::size_t slot = 0; slot < shape[0]; ++slot) {
        const float* const from = data.counts.data() + slot * row;
        std::transform(from, from + row, buffer.begin(),
                       [](float count) { return static_cast<std::uint16_t>(count); });
        file.writeRows(kCounts, slot, 1, buffer.data());
    }
}

std::string hashOf(const SinogramData& data, std::initializer_list<const std::vector<float>*> arrays) {
    ContentHash hash = modelHash(data.michelogram->spec().toJson(), data.lattice);
    for (const std::vector<float>* values : arrays) {
        hash.add(values->data(), values->size() * sizeof(float));
    }
    return fmt::format("{:016x}", hash.result());
}

}  // namespace

std::string ringDataHash(const SinogramData& data) {
    return hashOf(data, {&data.counts, &data.mult, &data.add});
}

std::string ringMultHash(const SinogramData& data) {
    return hashOf(data, {&data.mult});
}

bool isSinogramData(const std::string& path) {
    return h5::isHdf5(path) && h5::Reader(path).has(kCounts);
}

SinogramData readSinogramData(const std::string& path) {
    const h5::Reader file(path);
    SinogramData data;
    data.michelogram = requireMichelogram(file, kCounts);
    data.lattice = readImageLattice(file, kCounts);
    data.counts = readArray(file, kCounts, *data.michelogram);
    if (file.has(kMult)) {
        data.mult = readArray(file, kMult, *data.michelogram);
    }
    if (file.has(kAdd)) {
        data.add = readArray(file, kAdd, *data.michelogram);
    }
    data.kept = file.whole("/sinogram", "kept").value_or(0);
    data.rejected = file.whole("/sinogram", "rejected").value_or(0);
    data.phantom = file.textAttribute("/", "phantom").value_or("");
    data.duration_s = file.numbers("/", "duration_s", 1).value_or(std::vector<double>{0.0})[0];
    data.calibration = readCalibration(file);
    data.hash = ringDataHash(data);
    return data;
}

void writeSinogramData(const std::string& path, const SinogramData& data) {
    const std::size_t bins = data.michelogram->bins();
    if (data.counts.size() != bins || (!data.mult.empty() && data.mult.size() != bins) ||
        (!data.add.empty() && data.add.size() != bins)) {
        throw InternalError("the arrays of ring data do not fit their michelogram");
    }
    writeAside(path, [&](const std::string& temporary) {
        h5::Writer file(temporary, path);
        writeCounts(file, data);
        writeModel(file, kCounts, data.michelogram.get(), data.lattice);
        const h5::Shape shape = shapeOf(*data.michelogram);
        for (const auto& [name, values] : {std::pair{kMult, &data.mult}, std::pair{kAdd, &data.add}}) {
            if (!values->empty()) {
                file.write(name, shape, values->data());
            }
        }
        file.attribute("/sinogram", "kept", data.kept);
        file.attribute("/sinogram", "rejected", data.rejected);
        file.attribute("/", "phantom", data.phantom);
        file.attribute("/", "duration_s", data.duration_s);
        file.attribute("/", "calibration_factor", data.calibration);
        file.close();
    });
}

}  // namespace tof
