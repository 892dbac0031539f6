// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/line_binning.h"

#include <algorithm>
#include <cmath>

#include "recon/binning/crystal_places.h"
#include "recon/data/framed_counts.h"
#include "recon/data/scan_totals.h"

namespace tof {

void countEvents(const EventList& events, const Scanner* scanner, SinogramData& data, std::uint64_t first,
                 std::vector<std::uint32_t>* cells) {
    const Michelogram& michelogram = *data.michelogram;
    const CrystalPlaces places(scanner, michelogram.scanner(), first);
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto [c1, c2] = places.of(events, i);
        const auto bin = michelogram.binOf(c1, c2, timeOf(events, i));
        if (cells != nullptr) {
            cells->push_back(bin ? static_cast<std::uint32_t>(*bin) : kNoCell);
        }
        if (bin) {
            data.counts[*bin] += 1.0F;
            ++data.kept;
        } else {
            ++data.rejected;
        }
    }
}

SinogramData binEvents(const EventList& events, const Scanner* scanner,
                       std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice,
                       std::uint64_t first, std::vector<std::uint32_t>* cells) {
    SinogramData data;
    data.lattice = lattice;
    data.counts.assign(michelogram->bins(), 0.0F);
    data.michelogram = std::move(michelogram);
    countEvents(events, scanner, data, first, cells);
    data.mult = pairMultiplicity(*data.michelogram);
    data.phantom = events.phantom;
    copyScanTotals(events, data);
    data.calibration = events.calibration;
    return data;
}

SinogramData binLines(const LineData& lines, const std::vector<std::array<std::uint32_t, 2>>& crystals,
                      const Scanner& scanner, std::shared_ptr<const Michelogram> michelogram,
                      const Lattice& lattice) {
    const CrystalPlaces places(&scanner, michelogram->scanner());
    EventList pairs;
    pairs.crystals = crystals;
    pairs.dt_ps = lines.events->dt_ps;
    SinogramData data;
    data.lattice = lattice;
    data.counts.assign(michelogram->bins(), 0.0F);
    data.mult.assign(michelogram->bins(), 0.0F);
    data.add.assign(lines.add.empty() ? 0 : michelogram->bins(), 0.0F);
    double kept = 0;
    double rejected = 0;
    for (std::size_t i = 0; i < crystals.size(); ++i) {
        const auto [c1, c2] = places.of(pairs, i);
        const auto bin = michelogram->binOf(c1, c2, timeOf(pairs, i));
        (bin ? kept : rejected) += static_cast<double>(lines.counts[i]);
        if (!bin) {
            continue;
        }
        data.counts[*bin] += lines.counts[i];
        data.mult[*bin] += lines.mult.empty() ? 1.0F : lines.mult[i];
        if (!lines.add.empty()) {
            data.add[*bin] += lines.add[i];
        }
    }
    data.kept = static_cast<std::uint64_t>(std::llround(kept));
    data.rejected = static_cast<std::uint64_t>(std::llround(rejected));
    data.michelogram = std::move(michelogram);
    copyScanTotals(lines, data);
    data.calibration = lines.calibration;
    return data;
}

}  // namespace tof
