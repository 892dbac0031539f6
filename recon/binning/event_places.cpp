// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/event_places.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/crystal_places.h"

namespace tof {

ViewGrid viewGridOf(const Scanner& scanner, const BinningSettings& settings) {
    return {settings.azimuths, settings.tilts, scanner.acceptance_rad};
}

EventPlaces::EventPlaces(const Scanner& scanner, const BinningSettings& settings, const ThreadPool& pool)
    : lattice_(settings.lattice),
      motion_(settings.motion),
      finder_(viewGridOf(scanner, settings)),
      interactions_(scanner, pool),
      spread_(scanner, settings.endPoints, settings.seed),
      farthest_mm_(interactions_.farthest() + spread_.farthest()) {}

void EventPlaces::requireMoments(const EventList& events) const {
    if (motion_ != nullptr) {
        tof::requireMoments(events, motion_->source());
    }
}

void EventPlaces::requireCrystals(std::uint64_t event, std::uint32_t c1, std::uint32_t c2) const {
    if (c1 >= interactions_.crystals() || c2 >= interactions_.crystals()) {
        throw BadInput(
            "event {} names crystal {}, but the scanner has {}; the list belongs to another scanner", event,
            std::max(c1, c2), interactions_.crystals());
    }
}

/// Within the outer faces of the lattice; false for what is not a number.
bool EventPlaces::inside(Vec3 at) const {
    const auto& n = lattice_.size;
    return at.x >= -0.5 && at.y >= -0.5 && at.z >= -0.5 && at.x < n[0] - 0.5 && at.y < n[1] - 0.5 &&
           at.z < n[2] - 0.5;
}

/// On which side of the lattice's outer faces all lies that is within a reach of `at`.
EventPlaces::Side EventPlaces::sideOf(Vec3 at, double reach_mm) const {
    bool within = true;
    for (std::size_t k = 0; k < 3; ++k) {
        const double reach = reach_mm / lattice_.spacing_mm[k];
        const double last = lattice_.size[k] - 0.5;
        if (at[k] < -0.5 - reach || at[k] > last + reach) {
            return Side::Outside;
        }
        within = within && at[k] > -0.5 + reach && at[k] < last - reach;
    }
    return within ? Side::Inside : Side::Near;  // what is not a number is near
}

EventPlaces::Walk::Walk(const EventPlaces& places, const EventList& events, std::uint64_t first)
    : places_(&places), events_(&events), first_(first) {
    if (places.motion_ != nullptr) {
        poses_.emplace(*places.motion_);
    }
}

bool EventPlaces::Walk::keeps(std::size_t i) {
    const EventPlaces& places = *places_;
    const auto [c1, c2] = events_->crystals[i];
    places.requireCrystals(first_ + i, c1, c2);
    const Vec3 one = places.interactions_.reference(c1);
    const Vec3 between = places.interactions_.reference(c2) - one;
    if (poses_ || c1 == c2) {
        return find(i) == Fate::Kept;
    }
    if (!places.finder_.accepts(between)) {
        return false;
    }
    const double length = norm(between);
    const double towards2 = kMmPerPs * static_cast<double>(events_->dt_ps[i]);
    // Their middle moves by no more than both ends do, the line's direction by no more than twice the ends'
    // way over its length. The last term is for rounding.
    const double reach =
        places.farthest_mm_ * (1 + 4 * std::abs(towards2) / length) + 1e-9 * (length + std::abs(towards2));
    const Vec3 point = one + (0.5 + towards2 / length) * between;
    switch (places.sideOf(places.lattice_.continuousIndex(point), reach)) {
        case Side::Inside: return true;
        case Side::Outside: return false;
        case Side::Near: break;
    }
    return find(i) == Fate::Kept;
}

EventPlaces::Fate EventPlaces::Walk::find(std::size_t i) {
    const EventPlaces& places = *places_;
    const auto [c1, c2] = events_->crystals[i];
    places.requireCrystals(first_ + i, c1, c2);
    const Vec3 between = places.interactions_.reference(c2) - places.interactions_.reference(c1);
    const Pose* const back = poses_ ? &poses_->back(events_->time_ms[i]) : nullptr;
    if (c1 == c2 || !places.finder_.accepts(between) ||
        (back != nullptr && !places.finder_.accepts(back->turned(between)))) {
        return Fate::Rejected;
    }
    const auto moved = places.spread_.offsets(first_ + i, c1, c2);
    line_ = between + moved[1] - moved[0];
    Vec3 middle = 0.5 * (places.interactions_.at(c1, -between) + moved[0] +
                         places.interactions_.at(c2, between) + moved[1]);
    if (back != nullptr) {  // what moves both end points moves their mean and their difference
        line_ = back->turned(line_);
        middle = back->moved(middle);
    }
    const double towards2 = kMmPerPs * static_cast<double>(events_->dt_ps[i]);
    const Vec3 point = middle + (towards2 / norm(line_)) * line_;
    at_ = places.lattice_.continuousIndex(point);
    return places.inside(at_) ? Fate::Kept : Fate::Outside;
}

}  // namespace tof
