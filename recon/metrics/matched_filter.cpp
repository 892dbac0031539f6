// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/matched_filter.h"

#include <cmath>

#include "recon/base/error.h"
#include "recon/metrics/gaussian_filter.h"

namespace tof {

double filterForNoise(const Volume& image, const FigureEvaluator& evaluator, double noise,
                      const ThreadPool& pool, const std::function<void()>& look) {
    constexpr int kStepsOfMm = 100;
    constexpr int kWidest = 100 * kStepsOfMm;
    constexpr int kFirst = kStepsOfMm;
    if (!(noise > 0)) {
        throw WrongUse("the noise that an image is filtered to must be above 0, not {}", noise);
    }
    const auto noisier = [&](int steps) {
        if (look) {
            look();
        }
        const Volume filtered = gaussianFiltered(image, static_cast<double>(steps) / kStepsOfMm, pool);
        const double found = evaluator.evaluate(1, filtered.data.data()).noise;
        if (!std::isfinite(found)) {
            throw WrongUse("there is no noise without an ROI of role uniform, of two voxels or more");
        }
        return found > noise;
    };
    if (!noisier(0)) {
        return 0;
    }
    // Noise falls while a filter takes in more voxels, and rises once it reaches what lies around the ROI.
    int low = 0;
    int high = kFirst;
    while (noisier(high)) {
        low = high;
        high *= 2;
        if (low >= kWidest) {
            throw WrongUse("a filter of 100 mm leaves more noise than {:.4g} %", 100 * noise);
        }
    }
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (noisier(middle) ? low : high) = middle;
    }
    return static_cast<double>(high) / kStepsOfMm;
}

}  // namespace tof
