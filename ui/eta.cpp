// SPDX-License-Identifier: Apache-2.0
#include "ui/eta.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tof::ui {

namespace {

constexpr std::size_t kKept = 240;  ///< steps of history: two passes of 120 views

}  // namespace

void EtaEstimator::add(double seconds, std::size_t done, std::size_t total) {
    total_ = total;
    if (samples_.empty() || done > samples_.back().done) {
        samples_.push_back({seconds, done});
        if (samples_.size() > kKept) {
            samples_.pop_front();
        }
    }
}

std::optional<double> EtaEstimator::remaining() const {
    if (samples_.size() < 3) {
        return std::nullopt;
    }
    std::vector<double> rates;
    for (std::size_t i = 1; i < samples_.size(); ++i) {
        rates.push_back((samples_[i].seconds - samples_[i - 1].seconds) /
                        static_cast<double>(samples_[i].done - samples_[i - 1].done));
    }
    std::vector<double> sorted = rates;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    // A step that took many times the usual (another program, a suspended machine) says nothing of the rest.
    const double most = 4 * *middle;
    double sum = 0;
    for (const double rate : rates) {
        sum += std::min(rate, most);
    }
    const std::size_t left = total_ > samples_.back().done ? total_ - samples_.back().done : 0;
    return sum / static_cast<double>(rates.size()) * static_cast<double>(left);
}

QString etaText(std::optional<double> seconds) {
    if (!seconds) {
        return QString(QChar(0x2013));
    }
    const QString nbsp(QChar(0x00a0));
    const double s = *seconds;
    if (s < 5) {
        return "a few seconds left";
    }
    if (s < 55) {
        return "about " + QString::number(std::ceil(s / 5) * 5) + nbsp + "s left";
    }
    if (s < 3600 - 30) {
        return "about " + QString::number(std::max(1.0, std::round(s / 60))) + nbsp + "min left";
    }
    return "about " + QString::number(std::round(s / 360) / 10) + nbsp + "h left";
}

QString durationText(double seconds) {
    const QString nbsp(QChar(0x00a0));
    if (seconds < 60) {
        return QString::number(seconds, 'f', seconds < 10 ? 2 : 1) + nbsp + "s";
    }
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (whole < 3600) {
        return QString::number(whole / 60) + nbsp + "min " + QString::number(whole % 60) + nbsp + "s";
    }
    return QString::number(whole / 3600) + nbsp + "h " + QString::number(whole % 3600 / 60) + nbsp + "min";
}

}  // namespace tof::ui
