// SPDX-License-Identifier: Apache-2.0
// Views of sinograms, declared beside those of histo-images.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "recon/base/error.h"
#include "recon/work/data_view.h"
#include "recon/work/line_model.h"

namespace tof {

namespace {

/// Planes [first, first + count) of a segment.
struct Planes {
    std::size_t first = 0;
    std::size_t count = 0;
};

Planes planesOf(const Michelogram& m, std::size_t segment, int timeBin) {
    if (segment >= m.spec().segments.size() || timeBin < 0 || timeBin >= m.timeBins()) {
        throw WrongUse(fmt::format("segment {} and time bin {}: the data have {} and {}", segment, timeBin,
                                   m.spec().segments.size(), m.timeBins()));
    }
    const auto& all = m.sinograms();
    const auto mine = [&](const Sinogram& plane) { return plane.segment == static_cast<int>(segment); };
    const auto begin = std::find_if(all.begin(), all.end(), mine);
    return {static_cast<std::size_t>(begin - all.begin()),
            static_cast<std::size_t>(std::count_if(begin, all.end(), mine))};
}

Lattice viewLattice(const SinogramData& data, const Planes& planes) {
    const Michelogram& m = *data.michelogram;
    const double step = defaultLattice(m).spacing_mm[0];
    const auto middle = [&](std::size_t plane) {
        return 0.5 * (m.sinograms()[plane].z1_mm + m.sinograms()[plane].z2_mm);
    };
    const double rise =
        planes.count > 1 ? middle(planes.first + 1) - middle(planes.first) : 0.5 * m.scanner().ringSpacing_mm;
    Lattice lattice =
        Lattice::centred({m.radialBins(), m.angles(), static_cast<int>(planes.count)},
                         {step, data.lattice.spacing_mm[1] * data.lattice.size[1] / m.angles(), rise});
    const int middleBin = m.radialBins() / 2;
    lattice.origin_mm.x = -step * middleBin;  // that bin passes through the axis
    lattice.origin_mm.z = middle(planes.first);
    return lattice;
}

/// Values of [slot][plane][radial][time bin], `planes` in all, as a volume [plane][azimuth][radial].
Volume asVolume(const SinogramData& data, const Planes& planes, std::size_t planesPerSlot,
                std::size_t firstPlane, int timeBin, const float* values, float absent) {
    const Michelogram& m = *data.michelogram;
    Volume volume(viewLattice(data, planes), absent);
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    for (int slot = 0; values != nullptr && slot < m.angles(); ++slot) {
        for (std::size_t plane = 0; plane < planes.count; ++plane) {
            const std::size_t row = (static_cast<std::size_t>(slot) * planesPerSlot + firstPlane + plane) *
                                    static_cast<std::size_t>(m.radialBins());
            for (int radial = 0; radial < m.radialBins(); ++radial) {
                volume.at(radial, m.angleOfSlot(slot), static_cast<int>(plane)) =
                    values[(row + static_cast<std::size_t>(radial)) * timeBins +
                           static_cast<std::size_t>(timeBin)];
            }
        }
    }
    return volume;
}

}  // namespace

Volume ringView(const SinogramData& data, std::size_t segment, int timeBin, DataQuantity quantity) {
    if (needsExpectation(quantity)) {
        throw WrongUse(quantityName(quantity) + " needs an image to compare the data with");
    }
    const Michelogram& m = *data.michelogram;
    const Planes planes = planesOf(m, segment, timeBin);
    const std::vector<float>& array = quantity == DataQuantity::Counts ? data.counts
                                      : quantity == DataQuantity::Mult ? data.mult
                                                                       : data.add;
    Volume volume =
        asVolume(data, planes, m.sinograms().size(), planes.first, timeBin,
                 array.empty() ? nullptr : array.data(), quantity == DataQuantity::Mult ? 1.0F : 0.0F);
    volume.units = quantity == DataQuantity::Counts ? "events/bin"
                   : quantity == DataQuantity::Mult ? "1"
                                                    : "counts/bin";
    return volume;
}

Volume expectedSinogramView(const SinogramData& data, std::size_t segment, int timeBin, const Volume& image,
                            const RunSettings& settings, const EngineRegistry& engines) {
    if (!(image.lattice == data.lattice)) {
        throw WrongUse(
            fmt::format("the image is {} and the data are {}: only an image on the data's lattice "
                        "can be compared with them",
                        image.lattice.text(), data.lattice.text()));
    }
    const Michelogram& m = *data.michelogram;
    const Planes planes = planesOf(m, segment, timeBin);
    // The segment alone, in the same order of azimuths.
    MichelogramSpec spec = m.spec();
    spec.segments = {spec.segments[segment]};
    const auto alone = std::make_shared<const Michelogram>(spec);
    LineModel model = ringModel(data.lattice, settings);
    model.lines = alone;
    const std::shared_ptr<const Engine> engine = engines.choose(settings.engine);
    EngineOptions options = settings.engineOptions();
    options.background = true;
    const std::shared_ptr<Space> space = engine->makeSpace(options);
    const auto projector = requireProjector(*engine, model, space, options);
    Array x = space->allocate(data.lattice.voxels());
    Array p = space->allocate(alone->partSize());
    space->upload(image.data, x.view());
    std::vector<float> projected(alone->bins());
    for (std::size_t part = 0; part < alone->parts(); ++part) {
        projector->forward(part, x.view(), p.view());
        space->download(p.view(), std::span(projected).subspan(part * alone->partSize(), alone->partSize()));
    }
    Volume expected = asVolume(data, planes, planes.count, 0, timeBin, projected.data(), 0.0F);
    const Volume mult = ringView(data, segment, timeBin, DataQuantity::Mult);
    const Volume add = ringView(data, segment, timeBin, DataQuantity::Add);
    for (std::size_t i = 0; i < expected.data.size(); ++i) {
        expected.data[i] = mult.data[i] * expected.data[i] + add.data[i];
    }
    expected.units = "events/bin";
    return expected;
}

std::vector<double> ringViewTotals(const SinogramData& data) {
    const Michelogram& m = *data.michelogram;
    const std::size_t segments = m.spec().segments.size();
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    const std::size_t row = static_cast<std::size_t>(m.radialBins()) * timeBins;
    std::vector<double> totals(segments * timeBins, 0.0);
    for (std::size_t i = 0; i < data.counts.size(); ++i) {
        const auto segment = static_cast<std::size_t>(m.sinograms()[i / row % m.sinograms().size()].segment);
        totals[i % timeBins * segments + segment] += static_cast<double>(data.counts[i]);
    }
    return totals;
}

}  // namespace tof
