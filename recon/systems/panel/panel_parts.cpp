// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <random>

#include "recon/systems/panel/panel_model.h"

namespace tof {

PanelParts panelParts(const PanelGeometry& geometry, std::uint64_t seed) {
    std::vector<int> order(static_cast<std::size_t>(geometry.classes()));
    std::iota(order.begin(), order.end(), 0);
    // Fisher and Yates by hand: std::shuffle differs between libraries.
    std::mt19937_64 random(seed);
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random() % i]);
    }
    PanelParts parts;
    parts.shares = kPanelShares;
    const auto count = static_cast<std::size_t>(geometry.crystals[1]);
    for (std::size_t part = 0; part < count; ++part) {
        std::vector<int> classes(
            order.begin() + static_cast<std::ptrdiff_t>(order.size() * part / count),
            order.begin() + static_cast<std::ptrdiff_t>(order.size() * (part + 1) / count));
        std::sort(classes.begin(), classes.end());
        std::size_t size = 0;
        for (const int c : classes) {
            size += static_cast<std::size_t>(PanelClass::at(geometry, c).lors(geometry));
        }
        parts.partSize = std::max(parts.partSize, size);
        parts.classes.push_back(std::move(classes));
    }
    return parts;
}

}  // namespace tof
