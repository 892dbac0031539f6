// SPDX-License-Identifier: Apache-2.0
#include "recon/bench/random_events.h"

#include <cmath>
#include <random>

#include "recon/base/constants.h"

namespace tof {

std::shared_ptr<LineEvents> randomEvents(const RingScanner& scanner, std::size_t count,
                                         const ThreadPool& pool) {
    constexpr double kRadius_mm = 175;
    constexpr std::size_t kGrain = std::size_t{1} << 18U;
    auto events = std::make_shared<LineEvents>();
    const auto crystals = static_cast<std::uint32_t>(scanner.rings * scanner.crystalsPerRing);
    events->points = ringPoints(scanner);
    const double fwhm_ps = 400;
    events->tof = {41, fwhm_ps / kFwhmPerSigma, fwhm_ps, 3};
    events->eventsPerPart = count;
    events->pairs.resize(count);
    events->dt_ps.resize(count);
    pool.forRange(count, kGrain, [&](std::size_t begin, std::size_t end) {
        std::mt19937 random(11 + static_cast<std::uint32_t>(begin / kGrain));
        for (std::size_t i = begin; i < end;) {
            const auto c1 = static_cast<std::uint32_t>(random() % crystals);
            const auto c2 = static_cast<std::uint32_t>(random() % crystals);
            const Vec3 one = events->points[c1];
            const Vec3 two = events->points[c2];
            const double across = std::hypot(two.x - one.x, two.y - one.y);
            const double s = across > 0 ? (one.x * two.y - one.y * two.x) / across : scanner.radius_mm;
            if (std::abs(s) >= kRadius_mm) {
                continue;
            }
            // The time difference is twice the distance from the middle over the speed of light.
            const double half = std::sqrt(kRadius_mm * kRadius_mm - s * s) * norm(two - one) / across;
            const double at = half * (static_cast<double>(random()) / 2147483648.0 - 1.0);
            events->pairs[i] = {c1, c2};
            events->dt_ps[i] = static_cast<float>(at / kMmPerPs);
            ++i;
        }
    });
    return events;
}

}  // namespace tof
