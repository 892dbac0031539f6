// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/sinogram_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/view.h"
#include "recon/data/data_hash.h"
#include "recon/systems/lines/line_settings.h"

namespace tof {

namespace {

/// Planes [first, first + count) of a segment.
struct Planes {
    std::size_t first = 0;
    std::size_t count = 0;
};

Planes planesOf(const Michelogram& m, std::size_t segment) {
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

/// Counts and corrections of one rank.
struct OwnBins {
    std::vector<float> counts;
    std::vector<float> mult;
    std::vector<float> add;
};

/// Without the lines.
LineModel modelOn(const Lattice& lattice, const RunSettings& settings) {
    if (goesByScanner(settings)) {
        throw WrongUse(
            "sinograms do not say how their crystals detect, which psf-model 'scanner' goes by; take 'even' "
            "and a width (psf)");
    }
    return lineModel(lattice, settings, nullptr);
}

}  // namespace

RankShare SinogramMeasurement::share(const RankRequest& request) const {
    const Michelogram& m = *data_->michelogram;
    const auto perPart = static_cast<std::size_t>(m.spec().anglesPerPart);
    const std::size_t slotBins = m.partSize() / perPart;
    RankDivision division;
    const bool wholeParts = everyRankHasParts(request);
    division.pieces.assign(m.parts(), {{}, {}, wholeParts});
    std::shared_ptr<const Michelogram> lines = data_->michelogram;
    std::vector<std::size_t> slots;  // slots of the data, those of a part one after the other
    std::size_t ofPart = 0;
    if (wholeParts) {
        const std::vector<int> owners = ownersOfParts(request);
        ofPart = perPart;
        for (std::size_t part = 0; part < m.parts(); ++part) {
            if (owners[part] == request.rank) {
                division.pieces[part] = {{part}, slots.size() / perPart, true};
                for (std::size_t slot = 0; slot < perPart; ++slot) {
                    slots.push_back(part * perPart + slot);
                }
            }
        }
    } else {
        MichelogramSpec spec = m.spec();
        spec.anglesPerPart = 1;  // a part of the rank's projector is an azimuth
        lines = std::make_shared<const Michelogram>(spec);
        const auto ranks = static_cast<std::size_t>(request.size);
        const auto first = static_cast<std::size_t>(request.rank);
        ofPart = perPart > first ? (perPart - first + ranks - 1) / ranks : 0;
        for (std::size_t part = 0; part < m.parts() && ofPart > 0; ++part) {
            division.pieces[part].data = part;
            for (std::size_t slot = first; slot < perPart; slot += ranks) {
                const std::size_t here = part * perPart + slot;
                slots.push_back(here);
                division.pieces[part].projected.push_back(
                    static_cast<std::size_t>(m.angleOfSlot(static_cast<int>(here))));
            }
        }
    }
    auto own = std::make_shared<OwnBins>(OwnBins{slicesOf(data_->counts, slots, slotBins),
                                                 slicesOf(data_->mult, slots, slotBins),
                                                 slicesOf(data_->add, slots, slotBins)});
    const std::size_t parts = ofPart > 0 ? slots.size() / ofPart : 0;
    const std::size_t size = ofPart * slotBins;
    return {std::move(division),
            [lattice = data_->lattice, lines](const RunSettings& settings) -> SystemModel {
                LineModel model = modelOn(lattice, settings);
                model.lines = lines;
                return model;
            },
            [own, parts, size](const RunSettings&, const SourcePlace& place) {
                return sourceOfParts({own->counts, own->mult, own->add, parts, size, own}, place, {});
            }};
}

std::string SinogramMeasurement::system() const {
    return LineModel::kSystem;
}

ScannerText SinogramMeasurement::scannerJson() const {
    return data_->michelogram->spec().toJson();
}

std::string SinogramMeasurement::units() const {
    return data_->absolute ? kEmissionsPerVoxel : kCountsPerMm;
}

EventTally SinogramMeasurement::events() const {
    return {static_cast<double>(data_->kept), static_cast<double>(data_->kept + data_->rejected)};
}

std::vector<std::size_t> SinogramMeasurement::order(std::uint64_t seed) const {
    const Michelogram& m = *data_->michelogram;
    std::vector<double> azimuths;
    for (std::size_t part = 0; part < m.parts(); ++part) {
        azimuths.push_back(m.angleOfSlot(static_cast<int>(part) * m.spec().anglesPerPart) * kPi / m.angles());
    }
    return azimuthOrder(azimuths, seed);
}

SystemModel SinogramMeasurement::model(const RunSettings& settings) const {
    LineModel model = modelOn(data_->lattice, settings);
    model.lines = data_->michelogram;
    return model;
}

std::shared_ptr<const Measurement> SinogramMeasurement::onLattice(const Lattice& lattice) const {
    SinogramData data = *data_;
    fitVoxels(data, lattice);
    return std::make_shared<const SinogramMeasurement>(std::move(data));
}

nlohmann::ordered_json SinogramMeasurement::describe(const RunSettings& settings) const {
    return describeLines(settings);
}

std::shared_ptr<DataSource> SinogramMeasurement::source(const RunSettings& settings,
                                                        const SourcePlace& place) const {
    return sourceOfParts(partsOf(data_), place, sensitivityKey(*this, settings, place, multHash(*data_)));
}

ViewLayout SinogramMeasurement::layout() const {
    const Michelogram& m = *data_->michelogram;
    const TofBins& tof = m.spec().tof;
    ViewLayout layout;
    auto& [segments, timeBins] = layout.axes;
    segments.name = "segment";
    segments.start = 0;  // the direct planes
    for (const RingSegment& segment : m.spec().segments) {
        segments.values.push_back(static_cast<double>(segments.values.size()));
        segments.spans.push_back(
            {static_cast<double>(segment.minDifference), static_cast<double>(segment.maxDifference)});
    }
    timeBins.name = "time bin";
    timeBins.start = m.timeBins() / 2;
    for (int bin = 0; bin < m.timeBins(); ++bin) {
        timeBins.values.push_back(bin);
        if (tof.count > 0) {
            timeBins.spans.push_back(
                {(bin - 0.5 * tof.count) * tof.width_ps, (bin + 1 - 0.5 * tof.count) * tof.width_ps});
        }
    }
    for (std::size_t view = 0; view < segments.values.size() * timeBins.values.size(); ++view) {
        layout.views.emplace_back(view);
    }
    return layout;
}

std::vector<std::size_t> SinogramMeasurement::viewCounts() const {
    return {static_cast<std::size_t>(data_->michelogram->angles()), data_->michelogram->sinograms().size()};
}

SinogramMeasurement::Place SinogramMeasurement::placeOf(std::size_t view) const {
    const Michelogram& m = *data_->michelogram;
    const std::size_t segments = m.spec().segments.size();
    const Place place{view % segments, static_cast<int>(view / segments)};
    if (place.timeBin >= m.timeBins()) {
        throw WrongUse(fmt::format("segment {} and time bin {}: the data have {} and {}", place.segment,
                                   place.timeBin, segments, m.timeBins()));
    }
    return place;
}

Volume SinogramMeasurement::view(std::size_t view, DataQuantity quantity) const {
    const std::span<const float> array = measured(quantity);
    const Michelogram& m = *data_->michelogram;
    const auto [segment, timeBin] = placeOf(view);
    const Planes planes = planesOf(m, segment);
    Volume volume =
        asVolume(*data_, planes, m.sinograms().size(), planes.first, timeBin,
                 array.empty() ? nullptr : array.data(), quantity == DataQuantity::Mult ? 1.0F : 0.0F);
    volume.units = quantity == DataQuantity::Counts ? "events/bin"
                   : quantity == DataQuantity::Mult ? "1"
                                                    : "counts/bin";
    return volume;
}

Volume SinogramMeasurement::expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                     const EngineRegistry& engines) const {
    requireLattice(*this, image);
    const auto [segment, timeBin] = placeOf(view);
    const Michelogram& m = *data_->michelogram;
    const Planes planes = planesOf(m, segment);
    // The segment alone, in the same order of azimuths.
    MichelogramSpec spec = m.spec();
    spec.segments = {spec.segments[segment]};
    LineModel model = modelOn(data_->lattice, settings);
    model.lines = std::make_shared<const Michelogram>(spec);
    const std::vector<float> alone = projected(image, model, settings, engines);
    Volume expected = asVolume(*data_, planes, planes.count, 0, timeBin, alone.data(), 0.0F);
    correct(expected, *this, view);
    expected.units = "events/bin";
    return expected;
}

std::vector<double> SinogramMeasurement::viewTotals() const {
    const Michelogram& m = *data_->michelogram;
    const std::size_t segments = m.spec().segments.size();
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    const std::size_t row = static_cast<std::size_t>(m.radialBins()) * timeBins;
    std::vector<double> totals(segments * timeBins, 0.0);
    for (std::size_t i = 0; i < data_->counts.size(); ++i) {
        const auto segment = static_cast<std::size_t>(m.sinograms()[i / row % m.sinograms().size()].segment);
        totals[i % timeBins * segments + segment] += static_cast<double>(data_->counts[i]);
    }
    return totals;
}

}  // namespace tof
