// SPDX-License-Identifier: Apache-2.0
#include "app/cli/eta.h"

#include <fmt/format.h>

#include <cmath>

namespace tof {

namespace {

constexpr double kWindow_s = 30;     // the pace is that of this long
constexpr double kShortest_s = 0.5;  // of which at least this much must have been seen
constexpr double kSpacing_s = 0.25;  // samples closer than this replace each other

}  // namespace

void EtaEstimator::add(double now_s, double fraction) {
    if (samples_.size() > 1 && now_s - samples_[samples_.size() - 2].first < kSpacing_s) {
        samples_.back() = {now_s, fraction};
    } else {
        samples_.emplace_back(now_s, fraction);
    }
    while (samples_.size() > 2 && now_s - samples_[1].first >= kWindow_s) {
        samples_.pop_front();
    }
}

std::optional<double> EtaEstimator::remaining_s() const {
    if (samples_.size() < 2) {
        return std::nullopt;
    }
    const double elapsed = samples_.back().first - samples_.front().first;
    const double gained = samples_.back().second - samples_.front().second;
    if (elapsed < kShortest_s || !(gained > 0)) {
        return std::nullopt;
    }
    return (1 - samples_.back().second) * elapsed / gained;
}

std::string durationText(double seconds) {
    const auto whole = static_cast<long long>(std::ceil(seconds));
    if (whole < 60) {
        return fmt::format("{} s", whole);
    }
    if (whole < 3600) {
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    }
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace tof
