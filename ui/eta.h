// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <cstddef>
#include <deque>
#include <optional>

namespace tof::ui {

/// Time left, from the recent rate of work; pauses are not part of it. Plain value; the clock is the
/// caller's.
class EtaEstimator {
  public:
    /// `done` of `total` steps are complete after `seconds` of work (pauses left out, never falling).
    void add(double seconds, std::size_t done, std::size_t total);
    /// Seconds left; empty until two steps are done.
    [[nodiscard]] std::optional<double> remaining() const;

  private:
    struct Sample {
        double seconds;
        std::size_t done;
    };
    std::deque<Sample> samples_;
    std::size_t total_ = 0;
};

/// "about 2 min left", rounded to what an estimate deserves; an en dash when unknown.
[[nodiscard]] QString etaText(std::optional<double> seconds);
/// "4.62 s", "1 min 20 s", "2 h 5 min".
[[nodiscard]] QString durationText(double seconds);

}  // namespace tof::ui
