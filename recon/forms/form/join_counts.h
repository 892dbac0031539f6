// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "recon/ranks/on_first.h"

namespace tof {

/// Counts of all ranks come together on the first one: whole numbers, whose sum does not depend on its order.
template <class Data>
void joinCounts(Communicator& ranks, Data& data) {
    sumOnFirst(ranks, data.counts);
    for (std::uint64_t* const number : {&data.kept, &data.rejected}) {
        const std::vector<std::uint64_t> all = ranks.numbersOfAll(*number);
        *number = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
    }
}

}  // namespace tof
