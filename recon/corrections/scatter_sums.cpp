// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/scatter_sums.h"

#include <algorithm>

namespace tof {

void addUpScatter(const ScatterProblem& problem, ScatterSums& sums, const ThreadPool& pool,
                  const std::function<void(double)>& progress) {
    const std::size_t pairs = problem.pairs.size();
    const auto places = static_cast<std::size_t>(problem.places);
    const auto samples = static_cast<std::size_t>(problem.tables.samples);
    sums.values.assign(pairs * places, 0.0F);
    const auto perBatch = static_cast<std::size_t>(std::max(pool.threads(), 1)) * 64;
    for (std::size_t first = 0; first < pairs; first += perBatch) {
        const std::size_t n = std::min(perBatch, pairs - first);
        pool.forRange(n, 16, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = first + begin; i < first + end; ++i) {
                const ScatterPair& pair = problem.pairs[i];
                for (std::size_t p = 0; p < problem.strengths.size(); ++p) {
                    const std::size_t one = p * problem.detectors + pair.one;
                    const std::size_t two = p * problem.detectors + pair.two;
                    const ScatterWeights weights =
                        scatterWeights(problem.tables, problem.rays[one], problem.rays[two],
                                       problem.strengths[p], pair.distance, pair.direct);
                    if (weights.one + weights.two > 0) {
                        addScatter(problem.tables, weights, problem.rays[one], problem.rays[two],
                                   problem.activity.data() + one * samples,
                                   problem.activity.data() + two * samples, problem.first_mm, problem.places,
                                   sums.values.data() + i * places);
                    }
                }
            }
        });
        if (progress) {
            progress(static_cast<double>(first + n) / static_cast<double>(pairs));
        }
    }
}

}  // namespace tof
