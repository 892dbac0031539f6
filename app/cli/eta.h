// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace tof {

/// Estimates the time left from the pace of the last half minute, so that a slow start or a pause is
/// forgotten.
class EtaEstimator {
  public:
    /// Share done (0..1, not falling) at a time in seconds of any monotonic clock.
    void add(double now_s, double fraction);
    /// Seconds left; empty until there is a pace to judge by.
    [[nodiscard]] std::optional<double> remaining_s() const;

  private:
    std::deque<std::pair<double, double>> samples_;  ///< (time, fraction), oldest first
};

/// "8 s", "2 min 05 s", "1 h 04 min".
[[nodiscard]] std::string durationText(double seconds);

}  // namespace tof
