// SPDX-License-Identifier: Apache-2.0
// Lines of two panels in HDF5.
#include "recon/base/error.h"
#include "recon/data/data_hash.h"
#include "recon/io/hdf5/correction_paths.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/frames_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/measured_io.h"
#include "recon/scanner/scanner.h"

namespace tof {

namespace {

constexpr const char* kPanelCounts = "/panel/counts";

/// Rows that can be read one by one; a line's place is its number class by class.
h5::Shape shapeOf(const PanelGeometry& g) {
    const auto head = static_cast<std::uint64_t>(g.headCrystals());
    return {g.lors() / head, 1, 1, head};
}

}  // namespace

PanelData readPanelData(const h5::Reader& file) {
    PanelData data;
    data.scannerJson = file.textAttribute("/", "scanner").value_or("");
    const std::optional<PanelGeometry> geometry =
        data.scannerJson.empty() ? std::nullopt : PanelGeometry::of(*data.scannerJson.scanner(file.path()));
    if (!geometry) {
        throw BadInput("{}: names no scanner of two panels; make the file again", file.path());
    }
    data.geometry = *geometry;
    data.geometry.efficiency = file.number("/panel", "efficiency", 1);
    if (!(data.geometry.efficiency > 0 && data.geometry.efficiency <= 1)) {
        throw BadInput("{}: attribute 'efficiency' of '/panel' is {:g}; it must be above 0 and at most 1",
                       file.path(), data.geometry.efficiency);
    }
    data.lattice = data.geometry.lattice();
    readArrays(file, kPanelCounts, shapeOf(data.geometry), "its scanner", data);
    data.kept = file.whole("/panel", "kept").value_or(0);
    data.rejected = file.whole("/panel", "rejected").value_or(0);
    readOrigin(file, "/", data);
    data.frames = readFrames(file, readFrameTable(file).get(), {1, data.counts.size(), data.kept});
    data.hash = dataHash(data);
    return data;
}

void writePanelData(const Destination& to, const PanelData& data, const MoreOfFile& more) {
    requireSizes(data.counts, {&data.mult, &data.add}, data.geometry.lors(),
                 "the arrays of panels do not fit their geometry");
    h5::writeFile(to, [&](h5::Writer& file) {
        const h5::Shape shape = shapeOf(data.geometry);
        writeCounts(file, kPanelCounts, shape, data.counts);
        writeArrays(file, shape, {{kMultPath, &data.mult}, {kAddPath, &data.add}});
        file.attribute("/panel", "kept", data.kept);
        file.attribute("/panel", "rejected", data.rejected);
        file.attribute("/panel", "efficiency", data.geometry.efficiency);
        file.attribute("/", "scanner", data.scannerJson);
        writeFrames(file, data.frames.get());
        writeOrigin(file, data, more);
    });
}

}  // namespace tof
