// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/scanner_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tof {

void describeField(Scanner& scanner) {
    double radius = std::numeric_limits<double>::infinity();
    double low = radius;
    double high = -low;
    for (const Crystal& c : scanner.crystals) {
        radius = std::min(radius, std::hypot(c.front.x, c.front.y));
        low = std::min(low, c.front.z);
        high = std::max(high, c.front.z);
    }
    scanner.fovRadius_mm = std::max(radius, 0.5);
    scanner.acceptance_rad = std::max(std::atan2(high - low + 1, 2 * radius), 0.01);
}

}  // namespace tof
