// SPDX-License-Identifier: Apache-2.0
// Sinograms in HDF5.
#include "recon/io/hdf5/data_io.h"

#include <algorithm>

#include "recon/base/parallel.h"
#include "recon/data/data_hash.h"
#include "recon/io/hdf5/correction_paths.h"
#include "recon/io/hdf5/frames_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/measured_io.h"
#include "recon/io/hdf5/sinogram_rows.h"

namespace tof {

namespace {

constexpr const char* kBinCounts = "/sinogram/counts";

h5::Shape shapeOf(const Michelogram& m) {
    return {static_cast<std::uint64_t>(m.angles()), m.sinograms().size(),
            static_cast<std::uint64_t>(m.radialBins()), static_cast<std::uint64_t>(m.timeBins())};
}

/// Counts that are no whole numbers, a slot at a time.
void writeSlots(h5::Writer& file, const h5::Shape& shape, const SinogramRows::Fill& counts) {
    file.create<float>(kBinCounts, shape);
    std::vector<float> slot(shape[1] * shape[2] * shape[3]);
    const std::size_t row = shape[2] * shape[3];
    const ThreadPool pool = file.pool();
    for (std::uint64_t i = 0; i < shape[0]; ++i) {
        pool.forRange(shape[1], 16, [&](std::size_t begin, std::size_t end) {
            counts(i * slot.size() + begin * row, {slot.data() + begin * row, (end - begin) * row});
        });
        file.writeRows(kBinCounts, i, 1, slot.data());
    }
}

/// What is not an array of bins.
void writeRest(h5::Writer& file, const SinogramData& data, const MoreOfFile& more) {
    file.attribute("/sinogram", "kept", data.kept);
    file.attribute("/sinogram", "rejected", data.rejected);
    file.attribute("/sinogram", "absolute", static_cast<std::uint64_t>(data.absolute));
    if (!data.normalisation.empty()) {
        file.attribute("/sinogram", "normalisation", data.normalisation);
    }
    writeFrames(file, data.frames.get());
    writeOrigin(file, data, more);
}

}  // namespace

SinogramData readSinogramData(const std::string& path) {
    return readSinogramData(h5::Reader(path));
}

SinogramData readSinogramData(const h5::Reader& file) {
    SinogramData data;
    data.michelogram = requireMichelogram(file, kBinCounts);
    data.lattice = readImageLattice(file, kBinCounts);
    readArrays(file, kBinCounts, shapeOf(*data.michelogram), "the michelogram", data);
    data.kept = file.whole("/sinogram", "kept").value_or(0);
    data.rejected = file.whole("/sinogram", "rejected").value_or(0);
    data.absolute = file.whole("/sinogram", "absolute").value_or(0) != 0;
    data.normalisation = file.textAttribute("/sinogram", "normalisation").value_or("");
    readOrigin(file, "/", data);
    data.frames = readFrames(file, readFrameTable(file).get(), {1, data.counts.size(), data.kept});
    data.hash = dataHash(data);
    return data;
}

void writeSinogramData(const Destination& to, const SinogramData& data, const MoreOfFile& more) {
    requireSizes(data.counts, {&data.mult, &data.add}, data.michelogram->bins(),
                 "the arrays of ring data do not fit their michelogram");
    h5::writeFile(to, [&](h5::Writer& file) {
        const h5::Shape shape = shapeOf(*data.michelogram);
        writeCounts(file, kBinCounts, shape, data.counts);
        writeModel(file, kBinCounts, data.michelogram.get(), data.lattice);
        writeArrays(file, shape, {{kMultPath, &data.mult}, {kAddPath, &data.add}});
        writeRest(file, data, more);
    });
}

void writeSinogramRows(const Destination& to, const SinogramData& outline, const SinogramRows& rows) {
    h5::writeFile(to, [&](h5::Writer& file) {
        const h5::Shape shape = shapeOf(*outline.michelogram);
        if (rows.narrow) {
            const std::function<void(std::uint64_t, std::span<std::uint16_t>)> narrow =
                [&rows](std::uint64_t first, std::span<std::uint16_t> out) {
                    std::vector<float> counts(out.size());
                    rows.counts(first, counts);
                    std::transform(counts.begin(), counts.end(), out.begin(),
                                   [](float count) { return static_cast<std::uint16_t>(count); });
                };
            file.writePacked(kBinCounts, shape, narrow);
        } else {
            writeSlots(file, shape, rows.counts);
        }
        writeModel(file, kBinCounts, outline.michelogram.get(), outline.lattice);
        if (rows.mult) {
            file.writePacked<float>(kMultPath, shape, rows.mult);
        }
        writeRest(file, outline, {});
    });
}

}  // namespace tof
