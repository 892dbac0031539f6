// SPDX-License-Identifier: Apache-2.0
// Sinograms in HDF5.
#include "recon/io/hdf5/data_io.h"

#include "recon/base/error.h"
#include "recon/data/data_hash.h"
#include "recon/io/hdf5/correction_paths.h"
#include "recon/io/hdf5/frames_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/measured_io.h"

namespace tof {

namespace {

constexpr const char* kBinCounts = "/sinogram/counts";

h5::Shape shapeOf(const Michelogram& m) {
    return {static_cast<std::uint64_t>(m.angles()), m.sinograms().size(),
            static_cast<std::uint64_t>(m.radialBins()), static_cast<std::uint64_t>(m.timeBins())};
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
    readOrigin(file, "/", data);
    data.frames = readFrames(file, readFrameTable(file).get(), {1, data.counts.size(), data.kept});
    data.hash = dataHash(data);
    return data;
}

void writeSinogramData(const std::string& path, const SinogramData& data, const MoreOfFile& more) {
    requireSizes(data.counts, {&data.mult, &data.add}, data.michelogram->bins(),
                 "the arrays of ring data do not fit their michelogram");
    h5::writeFile(path, [&](h5::Writer& file) {
        const h5::Shape shape = shapeOf(*data.michelogram);
        writeCounts(file, kBinCounts, shape, data.counts);
        writeModel(file, kBinCounts, data.michelogram.get(), data.lattice);
        writeArrays(file, shape, {{kMultPath, &data.mult}, {kAddPath, &data.add}});
        file.attribute("/sinogram", "kept", data.kept);
        file.attribute("/sinogram", "rejected", data.rejected);
        file.attribute("/sinogram", "absolute", static_cast<std::uint64_t>(data.absolute));
        writeFrames(file, data.frames.get());
        writeOrigin(file, data, more);
    });
}

}  // namespace tof
