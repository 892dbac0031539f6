// SPDX-License-Identifier: Apache-2.0
#include "recon/io/rdf9_norm.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "recon/base/error.h"
#include "recon/io/rdf9_format.h"
#include "recon/io/rdf9_header.h"
#include "recon/scanner/ring_crystals.h"

namespace tof {

namespace {

constexpr const char* kSlices = "/SegmentData/Segment4/3D_Norm_Correction/slice";
constexpr double kStirsUnit = 2.2110049e-4;  // "hardcoded magic number" there

std::vector<float> tableOf(const h5::Reader& file, const std::string& name, const h5::Shape& shape) {
    std::vector<float> table;
    for (const double factor : file.read<double>(name, shape)) {
        if (!(factor >= 0 && std::isfinite(factor))) {
            throw BadInput("{}: '{}' holds {:g}; factors are finite and not below zero, export it again",
                           file.path(), name, factor);
        }
        table.push_back(factor > 0 ? static_cast<float>(1 / (factor * kStirsUnit)) : 0.0F);
    }
    return table;
}

/// What is left of `value` by `by`, not below 0.
int rest(int value, int by) {
    return (value % by + by) % by;
}

/// The list's crystal at every place of the rings, and none beyond those that there are.
std::vector<std::uint32_t> crystalsAt(const std::string& path, const Michelogram& m, const Scanner& scanner,
                                      std::size_t efficiencies) {
    const std::vector<std::uint32_t> places = ringCrystals(scanner, m.scanner());
    const auto count =
        static_cast<std::size_t>(m.scanner().rings) * static_cast<std::size_t>(m.scanner().crystalsPerRing);
    if (places.size() != efficiencies || count != efficiencies) {
        throw BadInput("{}: is of {} crystals, the list of {} and the rings of {}; give those of its scanner",
                       path, efficiencies, places.size(), count);
    }
    std::vector<std::uint32_t> crystals(count);
    for (std::size_t crystal = 0; crystal < places.size(); ++crystal) {
        crystals[places[crystal]] = static_cast<std::uint32_t>(crystal);
    }
    return crystals;
}

}  // namespace

std::optional<Rdf9Geometry> Rdf9Geometry::read(const std::string& path) {
    const h5::Reader file(path);
    const std::string first = std::string(kSlices) + "1";
    if (!file.has(first)) {
        return {};
    }
    const RingScanner ring = rdfRing(file);
    Rdf9Geometry geometry(ring.rings, ring.crystalsPerRing);
    const int views =
        headerCount(file, "radialBlocksPerModule") * headerCount(file, "radialCrystalsPerBlock");
    std::uint64_t planes = static_cast<std::uint64_t>(geometry.planesOf(0));
    for (int k = 1; 2 * k < ring.rings; ++k) {
        planes += 2 * static_cast<std::uint64_t>(geometry.planesOf(k));
    }
    const h5::Shape shape = file.shape(first);
    geometry.alike_ =
        shape.size() == 2 && shape[0] == static_cast<std::uint64_t>(views) && shape[0] != planes;
    if (shape.size() != 2 || shape[1] == 0 || shape[1] > static_cast<std::uint64_t>(ring.crystalsPerRing) ||
        (shape[0] != planes && !geometry.alike_)) {
        throw BadInput("{}: '{}' is neither of {} planes nor of {} views; export it again", path, first,
                       planes, views);
    }
    geometry.size_ = {shape[0], shape[1]};
    for (int slice = 1; slice <= (geometry.alike_ ? 1 : views); ++slice) {
        const std::string name = kSlices + std::to_string(slice);
        if (!file.has(name) || file.shape(name) != shape) {
            throw BadInput("{}: '{}' is missing or not of the size of the first; export it again", path,
                           name);
        }
        geometry.tables_.push_back(tableOf(file, name, shape));
    }
    return geometry;
}

std::size_t Rdf9Geometry::rowOf(int ring1, int ring2) const {
    const int difference = ring2 - ring1;
    const int k = std::abs(difference) / 2;
    int row = ring1 + ring2 - 2 * k;
    for (int before = 0; before < k; ++before) {
        row += (before == 0 ? 1 : 2) * planesOf(before);
    }
    return static_cast<std::size_t>(row + (k > 0 && difference < 0 ? planesOf(k) : 0));
}

double Rdf9Geometry::of(std::uint32_t crystal1, std::uint32_t crystal2) const {
    const auto places = static_cast<std::uint32_t>(places_);
    std::array<int, 2> place{static_cast<int>(crystal1 % places), static_cast<int>(crystal2 % places)};
    std::array<int, 2> ring{rings_ - 1 - static_cast<int>(crystal1 / places),
                            rings_ - 1 - static_cast<int>(crystal2 / places)};
    const int views = places_ / 2;
    // STIR's bin t of view v has the places v + floor(t / 2) and v - floor((t + 1) / 2) + places / 2.
    int bin = rest(place[0] - place[1] + views, places_);
    bin -= bin > views ? places_ : 0;
    int view = rest(place[0] - static_cast<int>(std::floor(bin / 2.0)), places_);
    if (view >= views) {
        view -= views;
        bin = -bin;
        ring = {ring[1], ring[0]};
    }
    const auto bins = static_cast<int>(size_[1]);
    const int column = bins - 1 - (bin + bins / 2);  // GE counts bins the other way
    if (column < 0 || column >= bins) {
        return 0;
    }
    const auto slices = static_cast<int>(alike_ ? size_[0] : tables_.size());
    const auto slice = static_cast<std::size_t>(rest(views - 1 - view, slices));
    const std::size_t row = alike_ ? slice : rowOf(ring[0], ring[1]);
    return static_cast<double>(
        tables_[alike_ ? 0 : slice][row * static_cast<std::size_t>(bins) + static_cast<std::size_t>(column)]);
}

Rdf9BinEfficiencies rdf9BinEfficiencies(const std::string& path, const Michelogram& m, const Scanner& scanner,
                                        const ThreadPool& pool) {
    const auto efficiencies = rdf9Efficiencies(path);
    if (!efficiencies) {
        throw BadInput("{}: is no normalisation of GE RDF 9, which goes with its lists", path);
    }
    const std::optional<Rdf9Geometry> geometry = Rdf9Geometry::read(path);
    const std::vector<std::uint32_t> crystals = crystalsAt(path, m, scanner, efficiencies->size());
    std::vector<float> values(m.bins(), 0.0F);
    const int rings = m.scanner().rings;
    const auto at = [&](int ring, int place) {
        return crystals[static_cast<std::size_t>(ring * m.scanner().crystalsPerRing + place)];
    };
    const auto addBin = [&](int slot, int azimuth, int bin) {
        const auto [place1, place2] = m.placesOf(azimuth, bin);
        for (int ring1 = 0; ring1 < rings; ++ring1) {
            for (int ring2 = 0; ring2 < rings; ++ring2) {
                const int plane = m.sinogramOf(ring1, ring2);
                if (plane >= 0) {
                    const std::uint32_t one = at(ring1, place1);
                    const std::uint32_t two = at(ring2, place2);
                    const double pair = (*efficiencies)[one] * (*efficiencies)[two];
                    values[m.index(slot, static_cast<std::size_t>(plane), bin)] +=
                        static_cast<float>(pair * (geometry ? geometry->of(one, two) : 1));
                }
            }
        }
    };
    pool.forRange(static_cast<std::size_t>(m.angles()), 1, [&](std::size_t begin, std::size_t end) {
        for (auto slot = static_cast<int>(begin); slot < static_cast<int>(end); ++slot) {
            for (int i = 0; i < m.spec().mashing; ++i) {
                for (int bin = 0; bin < m.radialBins(); ++bin) {
                    addBin(slot, m.angleOfSlot(slot) * m.spec().mashing + i, bin);
                }
            }
        }
    });
    const auto timeBins = static_cast<std::size_t>(m.timeBins());
    for (std::size_t i = 0; timeBins > 1 && i < values.size(); ++i) {
        values[i] = values[i - i % timeBins];
    }
    return {std::move(values), fmt::format("{}: dead time is not corrected, as nobody says how{}", path,
                                           geometry ? "" : "; it holds no geometric factors")};
}

}  // namespace tof
