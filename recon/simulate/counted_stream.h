// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "recon/base/hd.h"
#include "recon/physics/real.h"

namespace tof {

/// The numbers of a RandomStream at one attempt, where the number of those drawn may be carried over: for
/// host and device. Same words; uniform() is a Real.
class CountedStream {
  public:
    TOF_HD CountedStream(std::uint64_t key, std::uint64_t event, std::uint32_t attempt,
                         std::uint32_t drawn = 0)
        : key_(key), event_(event), attempt_(attempt), drawn_(drawn) {
        if (drawn % 4 != 0) {
            refill(drawn / 4);
            for (std::uint32_t i = 0; i < drawn % 4; ++i) {
                shift();
            }
        }
    }

    [[nodiscard]] TOF_HD std::uint32_t word() {
        if (drawn_ % 4 == 0) {
            refill(drawn_ / 4);
        }
        ++drawn_;
        const std::uint32_t next = words_[0];
        shift();
        return next;
    }
    [[nodiscard]] TOF_HD Real uniform() {
        return (static_cast<Real>(word()) + Real{0.5}) * (Real{1} / Real{4294967296});
    }
    [[nodiscard]] TOF_HD std::uint32_t drawn() const { return drawn_; }

  private:
    TOF_HD void shift() {
        words_[0] = words_[1];
        words_[1] = words_[2];
        words_[2] = words_[3];
    }

    /// Philox4x32-10 (Salmon et al., SC 2011).
    TOF_HD void refill(std::uint32_t block) {
        std::uint32_t c0 = block;
        std::uint32_t c1 = attempt_;
        auto c2 = static_cast<std::uint32_t>(event_);
        auto c3 = static_cast<std::uint32_t>(event_ >> 32U);
        auto key0 = static_cast<std::uint32_t>(key_);
        auto key1 = static_cast<std::uint32_t>(key_ >> 32U);
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * c0;
            const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * c2;
            c0 = static_cast<std::uint32_t>(p1 >> 32U) ^ c1 ^ key0;
            c1 = static_cast<std::uint32_t>(p1);
            c2 = static_cast<std::uint32_t>(p0 >> 32U) ^ c3 ^ key1;
            c3 = static_cast<std::uint32_t>(p0);
            key0 += 0x9E3779B9U;
            key1 += 0xBB67AE85U;
        }
        words_[0] = c0;
        words_[1] = c1;
        words_[2] = c2;
        words_[3] = c3;
    }

    std::uint64_t key_;
    std::uint64_t event_;
    std::uint32_t attempt_;
    std::uint32_t drawn_;
    std::uint32_t words_[4]{};
};

}  // namespace tof
