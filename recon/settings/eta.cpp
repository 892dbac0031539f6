// SPDX-License-Identifier: Apache-2.0
#include "recon/settings/eta.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "recon/base/percentile.h"

namespace tof {

namespace {

constexpr double kWindow_s = 30;     // the pace is that of this long
constexpr double kShortest_s = 0.5;  // at least this much of them must have been seen
constexpr double kOutlier = 4;       // a step counts at most so many times the usual
constexpr double kSpacing_s = 0.25;  // samples closer than this replace each other

}  // namespace

void EtaEstimator::add(double now_s, double fraction) {
    if (!samples_.empty() && !(fraction > samples_.back().second)) {
        return;
    }
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
    if (samples_.size() < 3 || samples_.back().first - samples_.front().first < kShortest_s) {
        return std::nullopt;
    }
    std::vector<double> rates;  // seconds per share
    for (std::size_t i = 1; i < samples_.size(); ++i) {
        rates.push_back((samples_[i].first - samples_[i - 1].first) /
                        (samples_[i].second - samples_[i - 1].second));
    }
    const double usual = median(rates);
    double seconds = 0;
    for (std::size_t i = 1; i < samples_.size(); ++i) {
        const double gained = samples_[i].second - samples_[i - 1].second;
        seconds += gained * std::min(rates[i - 1], kOutlier * usual);
    }
    return (1 - samples_.back().second) * seconds / (samples_.back().second - samples_.front().second);
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
