// SPDX-License-Identifier: Apache-2.0
#include "recon/data/data_hash.h"

#include <future>
#include <initializer_list>
#include <span>

#include "recon/data/framed_counts.h"

namespace tof {

namespace {

template <class T>
void addArray(ContentHash& hash, const std::vector<T>& values) {
    hash.add(values.data(), values.size() * sizeof(T));
}

/// Counts in the hash only where there is something.
template <class T>
void addFilled(ContentHash& hash, const std::vector<T>& values) {
    if (!values.empty()) {
        addArray(hash, values);
    }
}

void addLattice(ContentHash& hash, const Lattice& lattice) {
    hash.add(lattice.size.data(), sizeof(lattice.size));
    hash.add(lattice.spacing_mm.data(), sizeof(lattice.spacing_mm));
    hash.add(&lattice.origin_mm, sizeof(lattice.origin_mm));
}

/// The hash of the scanner's text and the image, to add values to.
ContentHash modelHash(const std::string& scanner, const Lattice& lattice) {
    ContentHash hash;
    hash.add(scanner.data(), scanner.size());
    addLattice(hash, lattice);
    return hash;
}

std::string hashOf(const SinogramData& data, std::initializer_list<const std::vector<float>*> arrays,
                   const FramedCounts* frames) {
    ContentHash hash = modelHash(data.michelogram->spec().toJson(), data.lattice);
    for (const std::vector<float>* values : arrays) {
        addArray(hash, *values);
    }
    addFrames(hash, frames);
    return hash.text();
}

}  // namespace

ContentHash hashOfViews(const HistoData& data) {
    ContentHash hash;
    addLattice(hash, data.lattice);
    addArray(hash, data.views);
    return hash;
}

std::string dataHash(const HistoData& data) {
    ContentHash hash = hashOfViews(data);
    for (const std::vector<float>* values : {&data.counts, &data.mult, &data.add}) {
        hash.add(hashesOfViews(*values, data.voxels()));
    }
    if (!data.att.empty()) {
        hash.add(hashesOfViews(data.att, data.voxels()));
    }
    addFrames(hash, data.frames.get());
    return hash.text();
}

void addFrames(ContentHash& hash, const FramedCounts* frames) {
    if (frames == nullptr) {
        return;
    }
    hash.add(frames->nuclide.data(), frames->nuclide.size());
    std::vector<std::uint32_t> room;
    for (std::size_t i = 0; i < frames->frames.size(); ++i) {
        const FrameCounts& frame = frames->frames[i];
        hash.add(&frame.time, sizeof(frame.time));
        addArray(hash, frame.firsts);
        const std::span<const std::uint32_t> cells = frames->cellsOf(i, room);
        hash.add(cells.data(), cells.size_bytes());
        addFilled(hash, frame.moved.shares);
    }
    addFilled(hash, frames->crystals);
}

std::string dataHash(const SinogramData& data) {
    return hashOf(data, {&data.counts, &data.mult, &data.add}, data.frames.get());
}

std::string multHash(const SinogramData& data) {
    return hashOf(data, {&data.mult}, nullptr);
}

std::string dataHash(const PanelData& data) {
    ContentHash hash = modelHash(data.scannerJson, data.lattice);
    for (const std::vector<float>* values : {&data.counts, &data.mult, &data.add}) {
        addArray(hash, *values);
    }
    addFrames(hash, data.frames.get());
    return hash.text();
}

std::string multHash(const PanelData& data) {
    ContentHash hash = modelHash(data.scannerJson, data.lattice);
    addArray(hash, data.mult);
    return hash.text();
}

std::string dataHash(const LineData& data) {
    ContentHash hash = modelHash(data.scannerJson(), data.lattice);
    // These two are gigabytes, which one thread reads at 5 GB/s.
    const LineEvents& events = *data.events;
    std::future<HashedPart> pairs =
        std::async(std::launch::async, hashedPart, std::as_bytes(std::span(events.pairs)));
    const HashedPart times = hashedPart(std::as_bytes(std::span(events.dt_ps)));
    hash.add(pairs.get());
    hash.add(times);
    if (data.attenuation) {
        addFilled(hash, data.attenuation->data);
        if (data.attenuation->lattice != data.lattice) {
            addLattice(hash, data.attenuation->lattice);
        }
    }
    for (const std::vector<float>* values : {&data.counts, &data.mult, &data.add, &data.possible.mult}) {
        addFilled(hash, *values);
    }
    addFilled(hash, data.possible.pairs);
    addFilled(hash, data.possible.efficiencies);
    addFilled(hash, data.possible.poses);
    if (!data.michelogram) {
        addFilled(hash, data.events->points);
        hash.add(&data.possible.radius_mm, sizeof(double));
    }
    if (data.possible.acceptance_rad < PossibleLines::kEveryTilt_rad) {
        hash.add(&data.possible.acceptance_rad, sizeof(double));
    }
    if (data.possible.scanner) {
        const std::string scanner = data.possible.scanner->toJson();
        hash.add(scanner.data(), scanner.size());
    }
    addFrames(hash, data.frames.get());
    return hash.text();
}

}  // namespace tof
