// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "recon/base/hd.h"

namespace tof {

struct PhiloxWords {
    std::uint32_t words[4];
};

/// What the rounds of Philox add of a key; the same for all words of a simulation.
struct PhiloxRounds {
    static constexpr int kRounds = 10;
    std::uint32_t low[kRounds];
    std::uint32_t high[kRounds];

    PhiloxRounds() = default;
    explicit PhiloxRounds(std::uint64_t key) {
        for (std::uint32_t round = 0; round < kRounds; ++round) {
            low[round] = static_cast<std::uint32_t>(key) + round * 0x9E3779B9U;
            high[round] = static_cast<std::uint32_t>(key >> 32U) + round * 0xBB67AE85U;
        }
    }
};

/// Four words of a RandomStream at one attempt, from 4 x `block` on: Philox4x32-10 (Salmon et al., SC 2011),
/// for the device.
[[nodiscard]] TOF_HD inline PhiloxWords philoxBlock(const PhiloxRounds& rounds, std::uint64_t event,
                                                    std::uint32_t attempt, std::uint32_t block) {
    std::uint32_t c0 = block;
    std::uint32_t c1 = attempt;
    auto c2 = static_cast<std::uint32_t>(event);
    auto c3 = static_cast<std::uint32_t>(event >> 32U);
    for (int round = 0; round < PhiloxRounds::kRounds; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * c0;
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * c2;
        c0 = static_cast<std::uint32_t>(p1 >> 32U) ^ c1 ^ rounds.low[round];
        c1 = static_cast<std::uint32_t>(p1);
        c2 = static_cast<std::uint32_t>(p0 >> 32U) ^ c3 ^ rounds.high[round];
        c3 = static_cast<std::uint32_t>(p0);
    }
    return {{c0, c1, c2, c3}};
}

}  // namespace tof
