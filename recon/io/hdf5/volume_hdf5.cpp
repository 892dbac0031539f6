// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/volume_hdf5.h"

#include <algorithm>
#include <cstdint>

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

void writeVolumeHdf5(const Destination& to, const Volume& volume) {
    h5::writeFile(to, [&](h5::Writer& file) {
        writeVolumeDataset(file, "/image", volume.lattice, volume.data, volume.units);
    });
}

bool holdsFrames(const h5::Reader& file) {
    return file.has("/image") && file.shape("/image").size() == 4;
}

DynamicInfo readDynamicInfo(const h5::Reader& file) {
    const std::size_t count = file.shape("/image").at(0);
    const auto starts = file.numbers("/image", "frame_start_s", count);
    const auto durations = file.numbers("/image", "frame_duration_s", count);
    if (!starts || !durations) {
        throw BadInput(
            "{}: attribute 'frame_start_s' or 'frame_duration_s' of '/image' is missing; add the times of "
            "its "
            "{} frames",
            file.path(), count);
    }
    DynamicInfo info;
    info.lattice = readLattice(file, "/image");
    info.units = file.textAttribute("/image", "units").value_or("");
    for (std::size_t i = 0; i < count; ++i) {
        info.frames.push_back({(*starts)[i], (*durations)[i]});
    }
    if (const std::string fault = framesFault(info.frames); !fault.empty()) {
        throw BadInput("{}: attributes 'frame_start_s' and 'frame_duration_s': {}; correct them", file.path(),
                       fault);
    }
    if (const auto corrected = file.whole("/image", "decay_corrected")) {
        info.decay = *corrected != 0 ? DecayCorrection::Applied : DecayCorrection::None;
    }
    info.decayReference_s = file.number("/image", "decay_reference_s", 0);
    info.halfLife_s = std::max(0.0, file.number("/image", "half_life_s", 0));
    return info;
}

std::vector<float> readFrame(const h5::Reader& file, const Lattice& lattice, std::size_t frame) {
    std::vector<float> values(lattice.voxels());
    file.readRows("/image", frame, 1, values.data());
    return values;
}

void writeDynamicHdf5(const Destination& to, const DynamicSource& image) {
    const DynamicInfo& info = image.info;
    h5::writeFile(to, [&](h5::Writer& file) {
        h5::Shape shape = latticeShape(info.lattice);
        shape.insert(shape.begin(), info.frames.size());
        file.create<float>("/image", shape);
        for (std::size_t frame = 0; frame < info.frames.size(); ++frame) {
            const std::vector<float> values = image.values(frame);
            if (values.size() != info.lattice.voxels()) {
                throw InternalError("a frame of {} values does not fit a lattice of {}", values.size(),
                                    info.lattice.text());
            }
            file.writeRows("/image", frame, 1, values.data());
        }
        writeLattice(file, "/image", info.lattice);
        file.attribute("/image", "units", info.units);
        std::vector<double> starts;
        std::vector<double> durations;
        for (const TimeFrame& frame : info.frames) {
            starts.push_back(frame.start_s);
            durations.push_back(frame.duration_s);
        }
        file.attribute("/image", "frame_start_s", starts);
        file.attribute("/image", "frame_duration_s", durations);
        if (info.decay != DecayCorrection::Unknown) {
            file.attribute("/image", "decay_corrected",
                           std::uint64_t{info.decay == DecayCorrection::Applied ? 1U : 0U});
            file.attribute("/image", "decay_reference_s", info.decayReference_s);
        }
        file.attribute("/image", "half_life_s", info.halfLife_s);
    });
}

}  // namespace tof
