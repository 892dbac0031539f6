// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/count_rates.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/constants.h"

namespace tof {

namespace {

/// Value between bins, straight from middle to middle; `bin` is a place in bins.
double between(const std::vector<double>& profile, double bin) {
    const double below = std::floor(bin);
    const auto i = static_cast<std::size_t>(below);
    return profile[i] + (bin - below) * (profile[i + 1] - profile[i]);
}

/// Counts of all slices.
class AngleSums {
  public:
    explicit AngleSums(const SliceSinograms& prompts) : grid_(prompts.grid()) {
        const int places = grid_.angles * grid_.bins;
        counts_.assign(static_cast<std::size_t>(places), 0.0);
        for (int slice = 0; slice < grid_.slices; ++slice) {
            for (int i = 0; i < places; ++i) {
                counts_[static_cast<std::size_t>(i)] += prompts.counts(slice, i / grid_.bins, i % grid_.bins);
            }
        }
    }

    [[nodiscard]] const SinogramGrid& grid() const { return grid_; }
    /// 0 beyond the bins.
    [[nodiscard]] double counts(int angle, int bin) const {
        const bool within = bin >= 0 && bin < grid_.bins;
        const int place = angle * grid_.bins + bin;
        return within ? counts_[static_cast<std::size_t>(place)] : 0;
    }
    [[nodiscard]] double turn_rad(int angle) const { return kPi * (angle + 0.5) / grid_.angles; }
    [[nodiscard]] int binOf(double s_mm) const {
        return static_cast<int>(std::floor(s_mm / grid_.bin_mm + 0.5 * grid_.bins));
    }

  private:
    SinogramGrid grid_;
    std::vector<double> counts_;
};

/// Counts in the bin of the line and its neighbours, of all angles.
double countsAlong(const AngleSums& sums, const LinePlace& line) {
    double along = 0;
    for (int angle = 0; angle < sums.grid().angles; ++angle) {
        const int at = sums.binOf(line.s_mm(sums.turn_rad(angle)));
        along += sums.counts(angle, at - 1) + sums.counts(angle, at) + sums.counts(angle, at + 1);
    }
    return along;
}

/// The best of places two bins apart.
LinePlace roughPlace(const AngleSums& sums) {
    const int reach = sums.grid().bins / 4;
    const double step_mm = 2 * sums.grid().bin_mm;
    LinePlace best;
    double most = countsAlong(sums, best);
    for (int y = -reach; y <= reach; ++y) {
        for (int x = -reach; x <= reach; ++x) {
            const LinePlace place{x * step_mm, y * step_mm};
            const double along = x * x + y * y <= reach * reach ? countsAlong(sums, place) : 0;
            if (along > most) {
                most = along;
                best = place;
            }
        }
    }
    return best;
}

/// Moves the line by least squares of what lies around it, every count as heavy as another.
LinePlace moved(const AngleSums& sums, const LinePlace& line, double around_mm) {
    double xx = 0;
    double xy = 0;
    double yy = 0;
    LinePlace pull;
    for (int angle = 0; angle < sums.grid().angles; ++angle) {
        const double turn = sums.turn_rad(angle);
        const double along[] = {-std::sin(turn), std::cos(turn)};
        const double s = line.s_mm(turn);
        for (int bin = sums.binOf(s - around_mm); bin <= sums.binOf(s + around_mm); ++bin) {
            const double off = sums.grid().s_mm(bin) - s;
            const double n = std::abs(off) <= around_mm ? sums.counts(angle, bin) : 0;
            xx += n * along[0] * along[0];
            xy += n * along[0] * along[1];
            yy += n * along[1] * along[1];
            pull.x_mm += n * along[0] * off;
            pull.y_mm += n * along[1] * off;
        }
    }
    const double det = xx * yy - xy * xy;
    if (!(det > 0)) {
        return line;
    }
    return {line.x_mm + (yy * pull.x_mm - xy * pull.y_mm) / det,
            line.y_mm + (xx * pull.y_mm - xy * pull.x_mm) / det};
}

}  // namespace

LinePlace findLine(const SliceSinograms& prompts, const RateRules& rules) {
    constexpr int kMoves = 50;  // what is even around the line holds it back, so that one step is not enough
    constexpr double kSettled_mm = 1e-3;
    const AngleSums sums(prompts);
    LinePlace line = roughPlace(sums);
    for (int i = 0; i < kMoves; ++i) {
        const LinePlace before = line;
        line = moved(sums, before, 0.25 * rules.strip_mm);
        if (std::hypot(line.x_mm - before.x_mm, line.y_mm - before.y_mm) < kSettled_mm) {
            break;
        }
    }
    return line;
}

StripCounts stripCounts(const SliceSinograms& prompts, const LinePlace& line, const RateRules& rules) {
    const AngleSums sums(prompts);
    const SinogramGrid& grid = sums.grid();
    const int middle = grid.bins;  // of the profile, into which any bin may be shifted
    StripCounts found;
    const int ofProfile = 2 * grid.bins + 1;
    found.profile.assign(static_cast<std::size_t>(ofProfile), 0.0);
    for (int j = 0; j < ofProfile; ++j) {
        found.s_mm.push_back((j - middle) * grid.bin_mm);
    }
    for (int angle = 0; angle < grid.angles; ++angle) {
        const int at = std::clamp(sums.binOf(line.s_mm(sums.turn_rad(angle))), 0, grid.bins - 1);
        for (int bin = 0; bin < grid.bins; ++bin) {
            found.profile[static_cast<std::size_t>(bin + middle - at)] += sums.counts(angle, bin);
        }
    }
    found.total = std::accumulate(found.profile.begin(), found.profile.end(), 0.0);
    const double half = 0.5 * rules.strip_mm / grid.bin_mm;
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

RatePoint ratesOf(const StripCounts& prompts, double randoms, double duration_s, double activity_MBq,
                  const RateRules& rules) {
    RatePoint point;
    point.volume_ml = rules.volume_ml;
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
