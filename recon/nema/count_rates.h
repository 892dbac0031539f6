// SPDX-License-Identifier: Apache-2.0
// Scatter fraction, count losses and randoms as NEMA NU 2-2018, section 4, evaluates them.
#pragma once

#include <cmath>
#include <vector>

#include "recon/nema/slice_sinograms.h"

namespace tof {

/// What a standard looks at of a scatter phantom's scan. By default that is NU 2's: a line source 45 mm off
/// the axis of a cylinder of 203 x 700 mm.
struct RateRules {
    double radius_mm = 120;      ///< lines farther from the axis are not looked at
    double strip_mm = 40;        ///< width of the strip around the line source
    double halfLength_mm = 325;  ///< slices farther from the middle are not looked at
    double volume_ml = 22000;    ///< what an activity is divided by
    double bin_mm = 2;           ///< bins of the sinogram
};

/// Counts around the line source, all angles shifted so that it lies in the middle.
struct StripCounts {
    std::vector<double> s_mm;     ///< middles of the bins of `profile`, 0 at the line source
    std::vector<double> profile;  ///< counts by the distance from the line source
    double total = 0;
    /// Scatter and randoms: what lies outside the strip, and within it the mean of both its edges.
    double background = 0;

    [[nodiscard]] double trues() const { return total - background; }
    /// Share of what is left when `randoms` are taken off; 0 where nothing is.
    [[nodiscard]] double scatterFraction(double randoms = 0) const {
        return total > randoms ? (background - randoms) / (total - randoms) : 0;
    }
};

/// Where a line source along z lies across the axis.
struct LinePlace {
    double x_mm = 0;
    double y_mm = 0;

    /// Its distance from the axis in a sinogram, as SliceSinograms counts it.
    [[nodiscard]] double s_mm(double angle_rad) const {
        return y_mm * std::cos(angle_rad) - x_mm * std::sin(angle_rad);
    }
};
/// The line through most of the counts of all slices and angles together: one sine, where the highest bin of
/// every angle alone would be noise at few counts. Without counts it is the axis.
[[nodiscard]] LinePlace findLine(const SliceSinograms& prompts, const RateRules& rules = {});

/// Counts of a sinogram whose bins lie within the radius of the rules, around the line source.
[[nodiscard]] StripCounts stripCounts(const SliceSinograms& prompts, const LinePlace& line,
                                      const RateRules& rules = {});

/// Rates at one activity, counts per second.
struct RatePoint {
    double activity_MBq = 0;
    double volume_ml = RateRules().volume_ml;
    double total = 0;
    double trues = 0;
    double randoms = 0;
    double scattered = 0;
    double scatterFraction = 0;

    [[nodiscard]] double kBqPerMl() const { return 1000 * activity_MBq / volume_ml; }
    /// Noise-equivalent counts where randoms are known without noise, trues^2 / total.
    [[nodiscard]] double necr() const { return total > 0 ? trues * trues / total : 0; }
    /// Noise-equivalent counts where delayeds are subtracted, trues^2 / (total + randoms).
    [[nodiscard]] double necrWithDelayeds() const {
        return total > 0 ? trues * trues / (total + randoms) : 0;
    }
};
/// `randoms` are counts of the delayed window within the sinogram.
[[nodiscard]] RatePoint ratesOf(const StripCounts& prompts, double randoms, double duration_s,
                                double activity_MBq, const RateRules& rules = {});

struct RatePeak {
    double kBqPerMl = 0;
    double value = 0;
    bool within = false;  ///< false: the highest point is the first or the last one, the peak lies beyond
};
/// Top of the parabola through the highest value and its neighbours; `points` ascend in activity, at least
/// one.
[[nodiscard]] RatePeak peakOf(const std::vector<RatePoint>& points, double (RatePoint::*value)() const);

}  // namespace tof
