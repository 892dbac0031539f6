// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/event_lines.h"

#include <array>
#include <cmath>

#include "recon/base/constants.h"

namespace tof {

namespace {

constexpr std::uint64_t kSpreadSeed = 1;

}  // namespace

EventLine reversed(const EventLine& line) {
    return {line.angle_rad + kPi, -line.s_mm, line.z_mm, -line.tilt};
}

EventLines::EventLines(const Scanner& scanner)
    : points_(referencePoints(scanner)), spread_(scanner, EndPoints::Face, kSpreadSeed) {}

void EventLines::forEach(const EventList& events, const std::function<void(const EventLine&)>& take) {
    for (const auto& [one, two] : events.crystals) {
        std::array<Vec3, 2> moved{};
        if (spread_.moves()) {
            moved = spread_.offsets(seen_, one, two);
        }
        ++seen_;
        const Vec3 a = points_[one] + moved[0];
        const Vec3 b = points_[two] + moved[1];
        const double direction = std::atan2(b.y - a.y, b.x - a.x);
        const bool turned = direction < 0 || direction >= kPi;
        const double angle = direction < 0 ? direction + kPi : turned ? direction - kPi : direction;
        const double rise = points_[two].z - points_[one].z;
        take({angle, a.y * std::cos(angle) - a.x * std::sin(angle), 0.5 * (points_[one].z + points_[two].z),
              (turned ? -rise : rise) / std::hypot(b.x - a.x, b.y - a.y)});
    }
}

}  // namespace tof
