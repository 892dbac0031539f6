// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/ring_crystals.h"

#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

std::vector<std::uint32_t> ringCrystals(const Scanner& scanner, const RingScanner& ring) {
    std::vector<std::uint32_t> map;
    map.reserve(scanner.crystals.size());
    for (std::size_t c = 0; c < scanner.crystals.size(); ++c) {
        const Vec3 p = scanner.reference(static_cast<std::uint32_t>(c));
        const double place = std::round(ring.placeAt(std::atan2(p.x, -p.y)));
        const double level = std::round(p.z / ring.ringSpacing_mm + 0.5 * (ring.rings - 1));
        const bool onRing = level >= 0 && level < ring.rings &&
                            std::abs(std::hypot(p.x, p.y) - ring.radius_mm) < 0.1 * ring.radius_mm;
        if (!onRing) {
            throw BadInput(
                "crystal {} of scanner '{}' at ({:.1f}, {:.1f}, {:.1f}) mm lies on no ring of '{}'; give the "
                "description of the scanner's own rings",
                c, scanner.name, p.x, p.y, p.z, ring.name);
        }
        const double turns = std::floor(place / ring.crystalsPerRing);
        const auto inRing = static_cast<std::uint32_t>(place - turns * ring.crystalsPerRing);
        map.push_back(static_cast<std::uint32_t>(level) * static_cast<std::uint32_t>(ring.crystalsPerRing) +
                      inRing);
    }
    return map;
}

}  // namespace tof
