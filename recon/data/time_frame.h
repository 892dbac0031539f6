// SPDX-License-Identifier: Apache-2.0
// Frames of a scan: when each began and how long it took.
#pragma once

#include <string>
#include <vector>

namespace tof {

/// A part of a scan. Its times count from the time zero of its file, which is the injection as a rule.
struct TimeFrame {
    double start_s = 0;
    double duration_s = 0;  ///< above 0

    [[nodiscard]] double end_s() const { return start_s + duration_s; }
    [[nodiscard]] double middle_s() const { return start_s + 0.5 * duration_s; }
    [[nodiscard]] bool operator==(const TimeFrame&) const = default;
};

/// Why these are no frames of one scan ("frame 3 starts at 20 s, before frame 2 ends at 25 s"); empty when
/// they are: finite, of positive durations, ascending and apart to a microsecond. Gaps between them are
/// allowed.
[[nodiscard]] std::string framesFault(const std::vector<TimeFrame>& frames);

/// What the mean over a frame is multiplied by to be the value at `reference_s` of something that decays
/// with `halfLife_s` and does not change otherwise: exp(l (start - reference)) x/(1 - exp(-x)), where l is ln
/// 2 over the half life and x is l times the duration.
[[nodiscard]] double decayFactor(const TimeFrame& frame, double halfLife_s, double reference_s = 0);

}  // namespace tof
