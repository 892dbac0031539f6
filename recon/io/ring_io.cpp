// SPDX-License-Identifier: Apache-2.0
#include "recon/io/ring_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/core/error.h"
#include "recon/io/atomic_file.h"
#include "recon/io/checked_lattice.h"
#include "recon/io/content_hash.h"
#include "recon/io/hdf5_file.h"
#include "recon/io/volume_hdf5.h"

namespace tof {

namespace {

constexpr const char* kCounts = "/sinogram/counts";
constexpr const char* kMult = "/corrections/mult";
constexpr const char* kAdd = "/corrections/add";
constexpr const char* kCrystal = "/lors/crystal";
constexpr const char* kTime = "/lors/dt_ps";
constexpr const char* kAttenuation = "/corrections/attenuation";

h5::Shape shapeOf(const Michelogram& m) {
    return {static_cast<std::uint64_t>(m.angles()), m.sinograms().size(),
            static_cast<std::uint64_t>(m.radialBins()), static_cast<std::uint64_t>(m.timeBins())};
}

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
    if (!json) {
        throw BadInput(fmt::format("{}: '{}' lacks the attribute 'michelogram'; make the file again",
                                   file.path(), dataset));
    }
    return std::make_shared<const Michelogram>(MichelogramSpec::fromJson(*json, file.path()));
}

/// The attributes that say whose bins and which image a dataset is about.
void writeModel(h5::Writer& file, const char* dataset, const Michelogram& michelogram,
                const Lattice& lattice) {
    file.attribute(dataset, "michelogram", michelogram.spec().toJson());
    file.attribute(dataset, "image_size", std::vector<double>(lattice.size.begin(), lattice.size.end()));
    writeLattice(file, dataset, lattice);
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

void writeCounts(h5::Writer& file, const RingData& data) {
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

std::string hashOf(const RingData& data, std::initializer_list<const std::vector<float>*> arrays) {
    ContentHash hash;
    const std::string spec = data.michelogram->spec().toJson();
    hash.add(spec.data(), spec.size());
    hash.add(data.lattice.size.data(), sizeof(data.lattice.size));
    hash.add(data.lattice.spacing_mm.data(), sizeof(data.lattice.spacing_mm));
    hash.add(&data.lattice.origin_mm, sizeof(data.lattice.origin_mm));
    for (const std::vector<float>* values : arrays) {
        hash.add(values->data(), values->size() * sizeof(float));
    }
    return fmt::format("{:016x}", hash.result());
}

}  // namespace

std::string ringDataHash(const RingData& data) {
    return hashOf(data, {&data.counts, &data.mult, &data.add});
}

std::string ringMultHash(const RingData& data) {
    return hashOf(data, {&data.mult});
}

bool isRingData(const std::string& path) {
    return h5::isHdf5(path) && h5::Reader(path).has(kCounts);
}

RingData readRingData(const std::string& path) {
    const h5::Reader file(path);
    RingData data;
    data.michelogram = readMichelogram(file, kCounts);
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
    data.hash = ringDataHash(data);
    return data;
}

void writeRingData(const std::string& path, const RingData& data) {
    const std::size_t bins = data.michelogram->bins();
    if (data.counts.size() != bins || (!data.mult.empty() && data.mult.size() != bins) ||
        (!data.add.empty() && data.add.size() != bins)) {
        throw InternalError("the arrays of ring data do not fit their michelogram");
    }
    writeAside(path, [&](const std::string& temporary) {
        h5::Writer file(temporary, path);
        writeCounts(file, data);
        writeModel(file, kCounts, *data.michelogram, data.lattice);
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
        file.close();
    });
}

namespace {

std::string listHash(const RingListData& data) {
    ContentHash hash;
    const std::string spec = data.michelogram->spec().toJson();
    hash.add(spec.data(), spec.size());
    hash.add(data.lattice.size.data(), sizeof(data.lattice.size));
    hash.add(data.lattice.spacing_mm.data(), sizeof(data.lattice.spacing_mm));
    hash.add(&data.lattice.origin_mm, sizeof(data.lattice.origin_mm));
    const LineEvents& events = *data.events;
    hash.add(events.pairs.data(), events.pairs.size() * sizeof(events.pairs[0]));
    hash.add(events.dt_ps.data(), events.dt_ps.size() * sizeof(float));
    if (data.attenuation) {
        hash.add(data.attenuation->data.data(), data.attenuation->data.size() * sizeof(float));
    }
    return fmt::format("{:016x}", hash.result());
}

std::shared_ptr<const LineEvents> readLines(const h5::Reader& file, const MichelogramSpec& spec) {
    const h5::Shape shape = file.shape(kCrystal);
    if (shape.size() != 2 || shape[1] != 2 || !file.isUnsigned(kCrystal, sizeof(std::uint32_t))) {
        throw BadInput(
            fmt::format("{}: '{}' must be uint32 [events][2]; make the file again", file.path(), kCrystal));
    }
    auto events = std::make_shared<LineEvents>();
    events->points = ringPoints(spec.scanner);
    events->tof = spec.tof;
    events->pairs.resize(shape[0]);
    if (shape[0] > 0) {
        file.readRows(kCrystal, 0, shape[0], events->pairs.front().data());
    }
    const auto stray = std::find_if(events->pairs.begin(), events->pairs.end(), [&](const auto& pair) {
        return pair[0] >= events->points.size() || pair[1] >= events->points.size();
    });
    if (stray != events->pairs.end()) {
        throw BadInput(
            fmt::format("{}: '{}' of event {} names a crystal that the scanner has not; correct it",
                        file.path(), kCrystal, stray - events->pairs.begin()));
    }
    if (spec.tof.count > 0) {
        events->dt_ps = file.read<float>(kTime, {shape[0]});
        if (!std::all_of(events->dt_ps.begin(), events->dt_ps.end(),
                         [](float t) { return std::isfinite(t); })) {
            throw BadInput(
                fmt::format("{}: '{}' has values that are not finite; correct them", file.path(), kTime));
        }
    }
    return events;
}

}  // namespace

bool isRingList(const std::string& path) {
    return h5::isHdf5(path) && h5::Reader(path).has(kCrystal);
}

RingListData readRingList(const std::string& path) {
    const h5::Reader file(path);
    RingListData data;
    data.michelogram = readMichelogram(file, kCrystal);
    data.lattice = readImageLattice(file, kCrystal);
    data.events = readLines(file, data.michelogram->spec());
    if (file.has(kAttenuation)) {
        data.attenuation = readVolumeDataset(file, kAttenuation);
    }
    data.rejected = file.whole("/lors", "rejected").value_or(0);
    data.phantom = file.textAttribute("/", "phantom").value_or("");
    data.duration_s = file.numbers("/", "duration_s", 1).value_or(std::vector<double>{0.0})[0];
    data.hash = listHash(data);
    return data;
}

void writeRingList(const std::string& path, const RingListData& data) {
    const LineEvents& events = *data.events;
    writeAside(path, [&](const std::string& temporary) {
        h5::Writer file(temporary, path);
        file.write(kCrystal, {events.pairs.size(), 2},
                   events.pairs.empty() ? nullptr : events.pairs[0].data());
        writeModel(file, kCrystal, *data.michelogram, data.lattice);
        if (events.tof.count > 0) {
            file.write(kTime, {events.dt_ps.size()}, events.dt_ps.data());
        }
        if (data.attenuation) {
            writeVolumeDataset(file, kAttenuation, data.attenuation->lattice, data.attenuation->data, "1/mm");
        }
        file.attribute("/lors", "rejected", data.rejected);
        file.attribute("/", "phantom", data.phantom);
        file.attribute("/", "duration_s", data.duration_s);
        file.close();
    });
}

}  // namespace tof
