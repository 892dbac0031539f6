// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/ring_binning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/core/constants.h"
#include "recon/core/error.h"
#include "recon/ring/line_operator.h"
#include "recon/ring/ring_lines.h"

namespace tof {

namespace {

constexpr std::size_t kGrain = 4096;

/// The ring crystal of every crystal of a scanner.
std::vector<std::uint32_t> ringCrystals(const Scanner& scanner, const RingScanner& ring) {
    std::vector<std::uint32_t> map;
    map.reserve(scanner.crystals.size());
    const double step = 2 * kPi / ring.crystalsPerRing;
    for (std::size_t c = 0; c < scanner.crystals.size(); ++c) {
        const Vec3 p = scanner.reference(static_cast<std::uint32_t>(c));
        const double place = std::round((std::atan2(p.x, -p.y) - ring.firstAngle_rad) / step);
        const double level = std::round(p.z / ring.ringSpacing_mm + 0.5 * (ring.rings - 1));
        const bool onRing = level >= 0 && level < ring.rings &&
                            std::abs(std::hypot(p.x, p.y) - ring.radius_mm) < 0.1 * ring.radius_mm;
        if (!onRing) {
            throw BadInput(fmt::format(
                "crystal {} of scanner '{}' at ({:.1f}, {:.1f}, {:.1f}) mm lies on no ring of '{}'; give the "
                "description of the scanner's own rings",
                c, scanner.name, p.x, p.y, p.z, ring.name));
        }
        const double turns = std::floor(place / ring.crystalsPerRing);
        const auto inRing = static_cast<std::uint32_t>(place - turns * ring.crystalsPerRing);
        map.push_back(static_cast<std::uint32_t>(level) * static_cast<std::uint32_t>(ring.crystalsPerRing) +
                      inRing);
    }
    return map;
}

/// Crystals of events as those of a ring scanner.
class RingPlaces {
  public:
    RingPlaces(const Scanner* scanner, const RingScanner& ring)
        : known_(scanner != nullptr ? scanner->crystals.size()
                                    : static_cast<std::size_t>(ring.rings) *
                                          static_cast<std::size_t>(ring.crystalsPerRing)) {
        if (scanner != nullptr) {
            map_ = ringCrystals(*scanner, ring);
        }
    }

    [[nodiscard]] std::array<std::uint32_t, 2> of(const EventList& events, std::size_t event) const {
        const auto [c1, c2] = events.crystals[event];
        if (c1 >= known_ || c2 >= known_) {
            throw BadInput(fmt::format(
                "event {} names crystals {} and {}, and the scanner has {}; give the scanner of this list",
                event, c1, c2, known_));
        }
        return map_.empty() ? std::array{c1, c2} : std::array{map_[c1], map_[c2]};
    }

  private:
    std::size_t known_;
    std::vector<std::uint32_t> map_;
};

double timeOf(const EventList& events, std::size_t event) {
    return events.dt_ps.empty() ? 0.0 : static_cast<double>(events.dt_ps[event]);
}

}  // namespace

RingData binEvents(const EventList& events, const Scanner* scanner,
                   std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice) {
    const RingPlaces places(scanner, michelogram->scanner());
    RingData data;
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
    return data;
}

RingListData listLines(const EventList& events, const Scanner* scanner,
                       std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice) {
    const RingPlaces places(scanner, michelogram->scanner());
    RingListData data;
    data.lattice = lattice;
    auto lines = std::make_shared<LineEvents>();
    lines->points = ringPoints(michelogram->scanner());
    lines->tof = michelogram->spec().tof;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto [c1, c2] = places.of(events, i);
        if (!michelogram->binOf(c1, c2, timeOf(events, i))) {
            ++data.rejected;
            continue;
        }
        lines->pairs.push_back({c1, c2});
        if (lines->tof.count > 0) {
            lines->dt_ps.push_back(static_cast<float>(timeOf(events, i)));
        }
    }
    data.events = std::move(lines);
    data.michelogram = std::move(michelogram);
    data.phantom = events.phantom;
    data.duration_s = events.duration_s;
    return data;
}

RingData allLines(const RingListData& list, const ThreadPool& pool) {
    MichelogramSpec spec = list.michelogram->spec();
    spec.tof = {};
    RingData data;
    data.lattice = list.lattice;
    data.michelogram = std::make_shared<const Michelogram>(spec);
    data.counts.assign(data.michelogram->bins(), 0.0F);
    data.mult = pairMultiplicity(*data.michelogram);
    if (list.attenuation) {
        applyAttenuation(data, *list.attenuation, pool, [](double) {});
    }
    return data;
}

void applyAttenuation(RingData& data, const Volume& mu, const ThreadPool& pool,
                      const std::function<void(double)>& progress) {
    MichelogramSpec plain = data.michelogram->spec();
    plain.tof = {};
    const auto timeBins = static_cast<std::size_t>(data.michelogram->timeBins());
    RingModel model;
    model.lattice = mu.lattice;
    model.lines = std::make_shared<const Michelogram>(plain);
    const RingLines lines(model);
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
