// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Random123/philox.h>

#include <cmath>
#include <cstdint>

#include "recon/base/constants.h"
#include "recon/base/hd.h"
#include "recon/base/random_use.h"
#include "recon/simulate/philox_batch.h"

namespace tof {

/// Uniform in (0, 1), never 0 or 1, of the 32 bits of a word.
[[nodiscard]] TOF_HD inline double uniformOf(std::uint32_t word) {
    return (static_cast<double>(word) + 0.5) * (1.0 / 4294967296.0);
}

/// Random numbers of one event (or bin, or whatever a use counts): a function of (seed, use, event, attempt)
/// and of how many were drawn since.
///
/// Philox4x32-10: key = streamKey(seed, use), counter = (block, attempt, event). The transforms are written
/// out here because those of the standard library differ between implementations: one seed must give the same
/// events everywhere.
class RandomStream {
  public:
    RandomStream(std::uint64_t seed, RandomUse use, std::uint64_t event)
        : key_{{low(streamKey(seed, use)), high(streamKey(seed, use))}},
          counter_{{0, 0, low(event), high(event)}} {}

    /// Moves to the numbers of an attempt, wherever the stream stood; `batch` holds its first words in
    /// `lane`.
    void startAttempt(std::uint32_t attempt, const WordBatch& batch, std::size_t lane) {
        batch_ = &batch;
        lane_ = lane;
        counter_[1] = attempt;
        drawn_ = 0;
    }

    /// Starts an attempt without a batch at hand.
    void startAttempt(std::uint32_t attempt) {
        batch_ = nullptr;
        counter_[1] = attempt;
        drawn_ = 0;
    }

    /// Uniform in (0, 1), never 0 or 1.
    [[nodiscard]] double uniform() { return uniformOf(word()); }

    /// The bits behind uniform().
    [[nodiscard]] std::uint32_t word() {
        const std::uint32_t index = drawn_++;
        if (batch_ != nullptr && index < WordBatch::kWords) {
            return batch_->words[index][lane_];
        }
        if (index % 4 == 0) {
            counter_[0] = index / 4;
            block_ = r123::Philox4x32()(counter_, key_);
        }
        return block_[index % 4];
    }

    /// Exponential with mean 1.
    [[nodiscard]] double exponential() { return -std::log(uniform()); }

    /// Standard normal, by Box and Muller's transform; |value| < 6.7.
    [[nodiscard]] double normal() {
        const double radius = std::sqrt(2 * exponential());
        return radius * std::cos(2 * kPi * uniform());
    }

  private:
    static std::uint32_t low(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
    static std::uint32_t high(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32U); }

    r123::Philox4x32::key_type key_;
    r123::Philox4x32::ctr_type counter_;
    r123::Philox4x32::ctr_type block_{};
    const WordBatch* batch_ = nullptr;
    std::size_t lane_ = 0;
    std::uint32_t drawn_ = 0;
};

}  // namespace tof
