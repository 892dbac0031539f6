// SPDX-License-Identifier: Apache-2.0
// Activity against time: an injected bolus, and what tissue makes of it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace tof {

/// Equal steps of time from 0 s on.
struct TimeSteps {
    double length_s = 0;
    std::size_t count = 0;

    [[nodiscard]] double edge_s(std::size_t i) const { return length_s * static_cast<double>(i); }
};

/// Activity of plasma after a bolus, decay-corrected: model 2 of D. Feng, S.-C. Huang and X. Wang, Int. J.
/// Biomed. Comput. 32 (1993) 95. With t in min since the bolus arrived it is
/// (A1 t - A2 - A3) exp(-l1 t) + A2 exp(-l2 t) + A3 exp(-l3 t), and 0 before.
struct FengInput {
    std::array<double, 3> amounts{};        ///< A1 (1/min), A2, A3: in any unit of activity per volume
    std::array<double, 3> rates_per_min{};  ///< l1, l2, l3, at least 0
    double delay_s = 0;                     ///< when the bolus arrives

    [[nodiscard]] double at(double time_s) const;
};

/// Two tissues behind plasma, and blood between them: (1 - Vb) (free + bound) + Vb plasma. Rates are per min.
struct TwoTissue {
    double K1 = 0;
    double k2 = 0;
    double k3 = 0;
    double k4 = 0;
    double Vb = 0;
};

/// What tissue holds at the edges of steps, where its input goes straight between them: exact for that
/// input.
[[nodiscard]] std::vector<double> tissueAt(const TimeSteps& steps, const std::vector<double>& input,
                                           const TwoTissue& tissue);

/// A curve that goes straight between the edges of steps. Immutable; share between threads.
class ActivityCurve {
  public:
    /// `values` at the edges of the steps, count + 1, none below 0.
    ActivityCurve(const TimeSteps& steps, std::vector<double> values);

    [[nodiscard]] const TimeSteps& steps() const { return steps_; }
    /// Integral over a part of the steps' time, in s.
    [[nodiscard]] double integral(double begin_s, double end_s) const;
    /// The time in step `i` up to which a `share` of the step's integral lies.
    [[nodiscard]] double timeIn(std::size_t i, double share) const;

  private:
    [[nodiscard]] double upTo(double time_s) const;

    TimeSteps steps_;
    std::vector<double> values_;
    std::vector<double> upTo_;  ///< integrals up to the edges
};

}  // namespace tof
