// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/base/random_use.h"

namespace tof {

/// Poisson counts with means scale x expected. Each bin's count is a function of (seed, bin) alone
/// (RandomUse::Counts), so the result does not depend on the number of threads. Negative and zero means give
/// 0.
[[nodiscard]] std::vector<float> poissonCounts(std::span<const float> expected, double scale,
                                               std::uint64_t seed, const ThreadPool& pool);

/// Draws into `counts`, which may be where the means are, for another use of the seed, with a number of its
/// own for every `round`.
void poissonInto(std::span<const float> expected, double scale, std::uint64_t seed, RandomUse use,
                 std::uint32_t round, const ThreadPool& pool, std::span<float> counts);

}  // namespace tof
