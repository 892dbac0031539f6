// SPDX-License-Identifier: Apache-2.0
#include "recon/motion/pose_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tof {

namespace {

/// Time from `from_ms` to `to_ms`, s, of which a decaying activity leaves that much.
double leftOf(double from_ms, double to_ms, double halfLife_s) {
    if (!(halfLife_s > 0)) {
        return 1e-3 * (to_ms - from_ms);
    }
    const double rate = std::log(2.0) / halfLife_s;
    return std::exp(-rate * 1e-3 * from_ms) * -std::expm1(-rate * 1e-3 * (to_ms - from_ms)) / rate;
}

}  // namespace

std::size_t PoseSteps::at(double time_ms) const {
    const auto next = std::upper_bound(starts_ms.begin() + 1, starts_ms.end(), time_ms);
    return which[static_cast<std::size_t>(next - starts_ms.begin()) - 1];
}

void PoseSteps::addTime(double from_ms, double to_ms, double halfLife_s, std::vector<double>& lasted) const {
    for (std::size_t i = 0; i < starts_ms.size(); ++i) {
        const double begin = std::max(from_ms, starts_ms[i]);
        const double end = i + 1 < starts_ms.size() ? std::min(to_ms, starts_ms[i + 1]) : to_ms;
        if (end > begin) {
            lasted[which[i]] += leftOf(begin, end, halfLife_s);
        }
    }
}

std::vector<double> PoseSteps::weights(double from_ms, double to_ms, double halfLife_s) const {
    std::vector<double> weights(poses.size(), 0.0);
    addTime(from_ms, to_ms, halfLife_s, weights);
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::transform(weights.begin(), weights.end(), weights.begin(), [sum](double w) { return w / sum; });
    return weights;
}

}  // namespace tof
