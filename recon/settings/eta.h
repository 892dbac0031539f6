// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace tof {

/// Estimates the time left from the pace of the last half minute, so that a slow start is forgotten; one step
/// that took many times the usual (another program, a machine that slept) counts four usual steps at most.
/// Plain value; the clock is the caller's.
class EtaEstimator {
  public:
    /// Share done (0..1, not falling) at a time in seconds of any monotonic clock; leave pauses out of it.
    void add(double now_s, double fraction);
    /// Seconds left; empty until two steps tell a pace.
    [[nodiscard]] std::optional<double> remaining_s() const;

  private:
    std::deque<std::pair<double, double>> samples_;  ///< (time, fraction), oldest first, fractions growing
};

/// "8 s", "2 min 05 s", "1 h 04 min".
[[nodiscard]] std::string durationText(double seconds);

}  // namespace tof
