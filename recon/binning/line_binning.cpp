// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/line_binning.h"

#include <algorithm>
#include <cmath>

#include "recon/binning/crystal_places.h"
#include "recon/systems/lines/line_operator.h"
#include "recon/systems/lines/line_table.h"

namespace tof {

namespace {

constexpr std::size_t kGrain = 4096;

}  // namespace

SinogramData binEvents(const EventList& events, const Scanner* scanner,
                       std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice) {
    const CrystalPlaces places(scanner, michelogram->scanner());
    SinogramData data;
    data.lattice = lattice;
    data.counts.assign(michelogram->bins(), 0.0F);
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto [c1, c2] = places.of(events, i);
        if (const auto bin = michelogram->binOf(c1, c2, timeOf(events, i))) {
            data.counts[*bin] += 1.0F;
            ++data.kept;
        } else {
            ++data.rejected;
        }
    }
    data.mult = pairMultiplicity(*michelogram);
    data.michelogram = std::move(michelogram);
    data.phantom = events.phantom;
    data.duration_s = events.duration_s;
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
    data.duration_s = lines.duration_s;
    data.calibration = lines.calibration;
    return data;
}

void applyAttenuation(SinogramData& data, const Volume& mu, const ThreadPool& pool,
                      const std::function<void(double)>& progress) {
    MichelogramSpec plain = data.michelogram->spec();
    plain.tof = {};
    const auto timeBins = static_cast<std::size_t>(data.michelogram->timeBins());
    LineModel model;
    model.lattice = mu.lattice;
    model.lines = std::make_shared<const Michelogram>(plain);
    const LineTable lines(model);
    const LineOperator op{rayGrid(mu.lattice, 0), rayTof({}), false};
    if (data.mult.empty()) {
        data.mult.assign(data.counts.size(), 1.0F);
    }
    for (std::size_t part = 0; part < lines.parts(); ++part) {
        progress(static_cast<double>(part) / static_cast<double>(lines.parts()));
        const std::size_t size = lines.partSize(part);
        float* const mult = data.mult.data() + part * size * timeBins;
        pool.forRange(size, kGrain, [&](std::size_t begin, std::size_t end) {
            lines.forEachRay(part, begin, end, [&](Vec3 one, Vec3 two, int, std::size_t line) {
                double integral = 0;
                followLine(op, one, two, 0, [&](int voxel, float length) {
                    integral += static_cast<double>(length * mu.data[static_cast<std::size_t>(voxel)]);
                });
                const auto factor = static_cast<float>(std::exp(-integral));
                for (std::size_t k = 0; k < timeBins; ++k) {
                    mult[line * timeBins + k] *= factor;
                }
            });
        });
    }
    progress(1.0);
}

}  // namespace tof
