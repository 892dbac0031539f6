// SPDX-License-Identifier: Apache-2.0
// What every way of simulating an event begins with: pairs are started until one is detected.
#pragma once

#include <cstddef>
#include <cstdint>

#include "recon/base/error.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/early_loss.h"
#include "recon/simulate/random_stream.h"
#include "recon/simulate/simulation.h"

namespace tof {

/// What an event is made of, and how long it is tried: a scanner that needs more sees next to nothing.
struct Attempts {
    std::uint64_t seed;
    RandomUse use;
    std::uint32_t most;
    const Scanner& scanner;  ///< for the message, as the phantom
    const Phantom& phantom;
};

/// Starts pairs for event `index` until `tryPair(random)` is true: the event
/// follows the distribution of the detected ones. `judge(batch, verdicts)` may tell early which attempts are
/// lost or emit nothing; lost ones are counted. Throws WrongUse when none of `most` is detected.
template <typename Judge, typename TryPair>
void startPairs(const Attempts& attempts, std::size_t index, SimulationReport& report, const Judge& judge,
                const TryPair& tryPair) {
    RandomStream random(attempts.seed, attempts.use, index);
    WordBatch batch;
    EarlyLoss::Verdicts verdicts;
    for (std::uint32_t first = 0; first < attempts.most; first += WordBatch::kAttempts) {
        philoxBatch(streamKey(attempts.seed, attempts.use), index, first, batch);
        judge(batch, verdicts);
        for (std::uint32_t lane = 0; lane < WordBatch::kAttempts; ++lane) {
            if (verdicts[lane] == EarlyLoss::Verdict::Lost) {
                ++report.started;
                ++report.attenuated;
            }
            if (verdicts[lane] != EarlyLoss::Verdict::Unsure) {
                continue;
            }
            random.startAttempt(first + lane, batch, lane);
            if (tryPair(random)) {
                return;
            }
        }
    }
    throw WrongUse(
        "scanner '{}' detected none of {} pairs of phantom '{}'; is the phantom in its field of view?",
        attempts.scanner.name, attempts.most, attempts.phantom.name);
}

}  // namespace tof
