// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/crystal_places.h"

#include "recon/base/error.h"
#include "recon/base/first_where.h"
#include "recon/scanner/ring_crystals.h"

namespace tof {

namespace {

/// Throws BadInput unless both crystals of an event are among `known`.
void requireKnown(const EventList& events, std::size_t event, std::size_t known, std::uint64_t first) {
    const auto [c1, c2] = events.crystals[event];
    if (c1 >= known || c2 >= known) {
        throw BadInput(
            "event {} names crystals {} and {}, and the scanner has {}; give the scanner of this list",
            first + event, c1, c2, known);
    }
}

}  // namespace

CrystalPlaces::CrystalPlaces(const Scanner* scanner, const RingScanner& ring, std::uint64_t first)
    : known_(scanner != nullptr
                 ? scanner->crystals.size()
                 : static_cast<std::size_t>(ring.rings) * static_cast<std::size_t>(ring.crystalsPerRing)),
      first_(first) {
    if (scanner != nullptr) {
        map_ = ringCrystals(*scanner, ring);
    }
}

std::array<std::uint32_t, 2> CrystalPlaces::of(const EventList& events, std::size_t event) const {
    tof::requireKnown(events, event, known_, first_);
    const auto [c1, c2] = events.crystals[event];
    return map_.empty() ? std::array{c1, c2} : std::array{map_[c1], map_[c2]};
}

void CrystalPlaces::requireKnown(const EventList& events, const ThreadPool& pool, std::uint64_t first) const {
    requireAllKnown(events, known_, pool, first_ + first);
}

void requireAllKnown(const EventList& events, std::size_t known, const ThreadPool& pool,
                     std::uint64_t first) {
    const std::size_t stray = firstWhere(pool, events.size(), [&](std::size_t i) {
        return events.crystals[i][0] >= known || events.crystals[i][1] >= known;
    });
    if (stray < events.size()) {
        requireKnown(events, stray, known, first);
    }
}

void requireMoments(const EventList& events, const std::string& poses) {
    if (events.time_ms.size() != events.size()) {
        throw BadInput(
            "{}: the list does not say when its events happened, so no pose is theirs; bin it without "
            "--motion",
            poses);
    }
}

double timeOf(const EventList& events, std::size_t event) {
    return events.dt_ps.empty() ? 0.0 : static_cast<double>(events.dt_ps[event]);
}

}  // namespace tof
