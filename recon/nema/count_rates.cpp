// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/count_rates.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tof {

namespace {

/// Value between bins, straight from middle to middle; `bin` is a place in bins.
double between(const std::vector<double>& profile, double bin) {
    const double below = std::floor(bin);
    const auto i = static_cast<std::size_t>(below);
    return profile[i] + (bin - below) * (profile[i + 1] - profile[i]);
}

}  // namespace

StripCounts stripCounts(const SliceSinograms& prompts) {
    const SinogramGrid& grid = prompts.grid();
    const int middle = grid.bins;  // of the profile, into which any bin may be shifted
    StripCounts found;
    found.profile.assign(static_cast<std::size_t>(2 * grid.bins + 1), 0.0);
    for (int j = 0; j <= 2 * grid.bins; ++j) {
        found.s_mm.push_back((j - middle) * grid.bin_mm);
    }
    for (int angle = 0; angle < grid.angles; ++angle) {
        std::vector<double> sums(static_cast<std::size_t>(grid.bins), 0.0);
        for (int slice = 0; slice < grid.slices; ++slice) {
            for (int bin = 0; bin < grid.bins; ++bin) {
                sums[static_cast<std::size_t>(bin)] += prompts.counts(slice, angle, bin);
            }
        }
        const auto highest = std::max_element(sums.begin(), sums.end()) - sums.begin();
        for (std::size_t bin = 0; bin < sums.size(); ++bin) {
            found.profile[bin + static_cast<std::size_t>(middle) - static_cast<std::size_t>(highest)] +=
                sums[bin];
        }
    }
    found.total = std::accumulate(found.profile.begin(), found.profile.end(), 0.0);
    const double half = 0.5 * kNemaStrip_mm / grid.bin_mm;
    const double edges =
        0.5 * (between(found.profile, middle - half) + between(found.profile, middle + half));
    double inside = 0;
    for (int j = 0; j <= 2 * grid.bins; ++j) {
        const double share = std::clamp(half + 0.5 - std::abs(j - middle), 0.0, 1.0);
        inside += share * found.profile[static_cast<std::size_t>(j)];
    }
    found.background = found.total - inside + 2 * half * edges;
    return found;
}

RatePoint ratesOf(const StripCounts& prompts, double randoms, double duration_s, double activity_MBq) {
    RatePoint point;
    point.activity_MBq = activity_MBq;
    point.total = prompts.total / duration_s;
    point.trues = prompts.trues() / duration_s;
    point.randoms = randoms / duration_s;
    point.scattered = (prompts.background - randoms) / duration_s;
    point.scatterFraction = prompts.scatterFraction(randoms);
    return point;
}

RatePeak peakOf(const std::vector<RatePoint>& points, double (RatePoint::*value)() const) {
    const auto less = [&](const RatePoint& a, const RatePoint& b) { return (a.*value)() < (b.*value)(); };
    const auto top = std::max_element(points.begin(), points.end(), less);
    RatePeak peak{top->kBqPerMl(), (*top.*value)(), false};
    if (top == points.begin() || top + 1 == points.end()) {
        return peak;
    }
    // Newton's form through (0, 0), (x1, y1), (x2, y2), from the left neighbour on.
    const RatePoint& left = *(top - 1);
    const RatePoint& right = *(top + 1);
    const double x1 = top->kBqPerMl() - left.kBqPerMl();
    const double x2 = right.kBqPerMl() - left.kBqPerMl();
    const double slope = (peak.value - (left.*value)()) / x1;
    const double bend = (((right.*value)() - (left.*value)()) / x2 - slope) / (x2 - x1);
    peak.within = bend < 0;
    if (peak.within) {
        const double x = 0.5 * (x1 - slope / bend);
        peak.kBqPerMl = left.kBqPerMl() + x;
        peak.value = (left.*value)() + x * (slope + bend * (x - x1));
    }
    return peak;
}

}  // namespace tof
