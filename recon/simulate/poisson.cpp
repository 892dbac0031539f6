// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/poisson.h"

#include <algorithm>
#include <cmath>

#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr double kChunk = 16;  // means are cut into pieces this large, whose exp(-mean) is far from underflow
constexpr double kNormal = 1e4;  // beyond, a rounded normal deviate differs by less than 1 % of one sigma

/// Counts the events of a unit Poisson process in a time `mean`, by products of uniforms.
double poisson(double mean, RandomStream& random) {
    if (mean > kNormal) {
        return std::max(0.0, std::floor(mean + std::sqrt(mean) * random.normal() + 0.5));
    }
    double count = 0;
    while (mean > 0) {
        const double limit = std::exp(-std::min(mean, kChunk));
        mean -= kChunk;
        for (double product = random.uniform(); product > limit; product *= random.uniform()) {
            ++count;
        }
    }
    return count;
}

}  // namespace

void poissonInto(std::span<const float> expected, double scale, std::uint64_t seed, RandomUse use,
                 std::uint32_t round, const ThreadPool& pool, std::span<float> counts) {
    pool.forRange(counts.size(), std::size_t{1} << 14U, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (!(expected[i] > 0)) {
                counts[i] = 0;
                continue;
            }
            RandomStream random(seed, use, i);
            random.startAttempt(round);
            counts[i] = static_cast<float>(poisson(scale * static_cast<double>(expected[i]), random));
        }
    });
}

std::vector<float> poissonCounts(std::span<const float> expected, double scale, std::uint64_t seed,
                                 const ThreadPool& pool) {
    std::vector<float> counts(expected.size());
    poissonInto(expected, scale, seed, RandomUse::Counts, 0, pool, counts);
    return counts;
}

}  // namespace tof
