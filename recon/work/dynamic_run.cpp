// SPDX-License-Identifier: Apache-2.0
#include "recon/work/dynamic_run.h"

#include <vector>

#include "recon/base/error.h"
#include "recon/data/dynamic_image.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/io/hdf5/volume_hdf5.h"

namespace tof {

std::string writeDynamicRun(const std::string& runFile, const std::string& path) {
    const h5::Reader run(runFile);
    const std::vector<RunFrame> frames = readRunFrames(run);
    if (frames.empty()) {
        throw BadInput("{}: has no frames; reconstruct data that were binned with --frames", runFile);
    }
    DynamicSource image;
    image.info.lattice = readLattice(run, "/image");
    for (const RunFrame& frame : frames) {
        image.info.frames.push_back(frame.time);
    }
    const double halfLife_s = frames.front().halfLife_s;
    image.info.halfLife_s = halfLife_s;
    image.info.units = halfLife_s > 0 ? "Bq/ml" : "1/s/ml";
    image.info.decay = halfLife_s > 0 ? DecayCorrection::Applied : DecayCorrection::None;
    image.values = [&](std::size_t index) {
        std::vector<float> values = readRunFrame(run, frames[index].number).data;
        for (float& value : values) {
            value = static_cast<float>(frames[index].perEmission * static_cast<double>(value));
        }
        return values;
    };
    return writeDynamicImage(path, image);
}

}  // namespace tof
