// SPDX-License-Identifier: Apache-2.0
// Activity against time, between samples a straight line: what tissue is compared with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "recon/data/time_frame.h"

namespace tof {

/// Times in s, values in any unit. It is zero before the first sample, and stays at the last value behind the
/// last one. What is asked of it is exact for that curve, up to the rounding of double. Immutable; share
/// between threads.
class TimeCurve {
  public:
    /// Samples with ascending times, all finite. Throws BadInput that begins with `source`.
    TimeCurve(std::vector<double> times_s, std::vector<double> values, const std::string& source);

    /// A curve whose means over `frames` are `means`, linear in them. Within a frame it is the parabola with
    /// that mean and the values at its two edges, given as 16 straight pieces; the value at an edge is the
    /// slope of the polynomial through the integrals up to the five nearest edges, so that its error is of
    /// fourth order in the length of frames. It rises from zero at time zero to a first frame that begins
    /// later, and runs straight over gaps.
    [[nodiscard]] static TimeCurve ofMeans(const std::vector<TimeFrame>& frames,
                                           const std::vector<double>& means);

    [[nodiscard]] double end_s() const { return times_.back(); }
    [[nodiscard]] double start_s() const { return times_.front(); }
    /// Means over frames, which framesFault() allows.
    [[nodiscard]] std::vector<double> means(const std::vector<TimeFrame>& frames) const;
    /// Means over frames of the integral of curve(s) exp(-rate (t - s)) ds up to t, in value x s; `rate` in
    /// 1/s, at least 0. With rate 0 it is the curve's integral.
    [[nodiscard]] std::vector<double> convolvedMeans(const std::vector<TimeFrame>& frames, double rate) const;

  private:
    TimeCurve() = default;
    /// Samples of the curve and the edges of frames, ascending, from the earliest of both on.
    [[nodiscard]] std::vector<double> breaks(const std::vector<TimeFrame>& frames) const;
    [[nodiscard]] double at(double time_s) const;

    std::vector<double> times_;
    std::vector<double> values_;
};

}  // namespace tof
