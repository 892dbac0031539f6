// SPDX-License-Identifier: Apache-2.0
#include "recon/work/dynamic_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/data/dynamic_image.h"
#include "recon/io/format/notes.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/io/hdf5/volume_hdf5.h"

namespace tof {

namespace {

/// The frames of one gate as one image.
std::string writeGate(const h5::Reader& run, const std::vector<RunFrame>& frames, const Destination& to) {
    DynamicSource image;
    image.info.lattice = readLattice(run, "/image");
    for (const RunFrame& frame : frames) {
        image.info.frames.push_back(frame.time);
    }
    const double halfLife_s = frames.front().halfLife_s;
    image.info.halfLife_s = halfLife_s;
    const std::string made = readRunFrame(run, frames.front().number).units;
    image.info.units = made != kEmissionsPerVoxel ? made + "/s" : halfLife_s > 0 ? "Bq/ml" : "1/s/ml";
    image.info.decay = halfLife_s > 0 ? DecayCorrection::Applied : DecayCorrection::None;
    image.values = [&](std::size_t index) {
        std::vector<float> values = readRunFrame(run, frames[index].number).data;
        for (float& value : values) {
            value = static_cast<float>(frames[index].perEmission * static_cast<double>(value));
        }
        return values;
    };
    return writeDynamicImage(to, image);
}

/// "images.nii.gz" becomes "images_gate-3.nii.gz".
std::string pathOfGate(const std::string& path, int gate) {
    const std::filesystem::path whole(path);
    const std::string name = whole.filename().string();
    const std::size_t dot = std::min(name.find('.', 1), name.size());
    return (whole.parent_path() / fmt::format("{}_gate-{}{}", name.substr(0, dot), gate, name.substr(dot)))
        .string();
}

}  // namespace

std::string writeDynamicRun(const std::string& runFile, const Destination& to) {
    const h5::Reader run(runFile);
    std::map<int, std::vector<RunFrame>> gates;
    for (RunFrame& frame : readRunFrames(run)) {
        gates[frame.gate].push_back(std::move(frame));
    }
    if (gates.empty()) {
        throw BadInput("{}: has no frames; reconstruct data that were binned with --frames", runFile);
    }
    std::string note;
    for (const auto& [gate, frames] : gates) {
        const std::string path = gate > 0 ? pathOfGate(to.path, gate) : to.path;
        note = joinedNotes(note, writeGate(run, frames, {path, to.heed}));
    }
    return note;
}

}  // namespace tof
