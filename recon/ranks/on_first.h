// SPDX-License-Identifier: Apache-2.0
// What several ranks have made comes to the first one, which writes it. Called by all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "recon/ranks/communicator.h"

namespace tof {

/// On the first rank `values` get those of all others behind them, in the order of ranks; elsewhere they go.
template <class T>
void gatherOnFirst(Communicator& ranks, std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<std::uint64_t> sizes = ranks.numbersOfAll(values.size());
    if (!ranks.first()) {
        const Sent sent{0, values.data(), values.size() * sizeof(T)};
        ranks.exchange({&sent, 1}, {});
        values.clear();
        return;
    }
    std::size_t all = 0;
    for (const std::uint64_t size : sizes) {
        all += size;
    }
    std::size_t begin = values.size();
    values.resize(all);
    std::vector<Received> received;
    for (int other = 1; other < ranks.size(); ++other) {
        const std::uint64_t size = sizes[static_cast<std::size_t>(other)];
        received.push_back({other, values.data() + begin, size * sizeof(T)});
        begin += size;
    }
    ranks.exchange({}, received);
}

/// On the first rank `values`, as many on every rank, become their sum, added in the order of ranks;
/// elsewhere they stay. One rank's at a time are in memory beside the sum.
template <class T>
void sumOnFirst(Communicator& ranks, std::vector<T>& values) {
    static_assert(std::is_arithmetic_v<T>);
    if (ranks.alone()) {
        return;
    }
    std::vector<T> theirs(ranks.first() ? values.size() : 0);
    for (int other = 1; other < ranks.size(); ++other) {
        if (ranks.first()) {
            const Received received{other, theirs.data(), theirs.size() * sizeof(T)};
            ranks.exchange({}, {&received, 1});
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] += theirs[i];
            }
        } else if (ranks.rank() == other) {
            const Sent sent{0, values.data(), values.size() * sizeof(T)};
            ranks.exchange({&sent, 1}, {});
        } else {
            ranks.exchange({}, {});
        }
    }
}

}  // namespace tof
