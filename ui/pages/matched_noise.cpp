// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/matched_noise.h"

#include <algorithm>
#include <cmath>

namespace tof::ui {

namespace {

constexpr double kNear = 0.1;  ///< of the level

}  // namespace

std::vector<MatchedIterate> matchedIterates(const RunList& runs, double noise) {
    std::vector<MatchedIterate> matched;
    for (const auto& item : runs.items()) {
        const std::vector<int> shown = item->iterates();
        std::optional<MatchedIterate> best;
        bool below = false;
        bool above = false;
        for (const Figures& f : item->figures()) {
            const bool there = std::binary_search(shown.begin(), shown.end(), f.iteration);
            if (!there || !std::isfinite(f.noise)) {
                continue;
            }
            below = below || f.noise <= noise;
            above = above || f.noise >= noise;
            if (!best || std::abs(f.noise - noise) < std::abs(best->noise - noise)) {
                best = MatchedIterate{item->id(), f.iteration, f.noise, f.crc};
            }
        }
        if (best) {
            const bool passes = below && above;
            if (!passes && std::abs(best->noise - noise) > kNear * noise) {
                best->reach = below ? MatchedIterate::Reach::StaysBelow : MatchedIterate::Reach::StaysAbove;
            }
            matched.push_back(*best);
        }
    }
    return matched;
}

std::optional<double> noiseOnScreen(RunList& runs) {
    const RunItem* item = runs.selected();
    const Figures* figures = item != nullptr ? item->figuresOf(item->shownIterate()) : nullptr;
    return figures != nullptr && std::isfinite(figures->noise) ? std::optional(figures->noise) : std::nullopt;
}

}  // namespace tof::ui
