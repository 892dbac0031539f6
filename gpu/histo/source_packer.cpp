// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/source_packer.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tof {

namespace {

constexpr int kClassSkew = 4;
constexpr int kOctets = 2;  ///< eights of a chunk that are read together
/// What a chunk costs its warp, whatever its strips, and what each of them adds; roughly clocks.
constexpr int kChunkCost = 27;
constexpr int kStripCost = 10;

std::size_t classOf(const PlanSource& s) {
    return static_cast<std::size_t>(bankClass(s.a, s.b));
}

/// The sources of a chunk in the making.
class Batch {
  public:
    [[nodiscard]] std::size_t size() const { return sources_.size(); }
    /// Moves sources here until there are `most`: those of classes that are not there twice first, and of
    /// these the classes that are left most often.
    void take(std::vector<PlanSource>& pool, std::size_t most) {
        std::array<int, kBankClasses> left{};
        for (const PlanSource& s : pool) {
            ++left[classOf(s)];
        }
        while (!pool.empty() && size() < most) {
            const auto rank = [&](const PlanSource& s) {
                return std::pair(count_[classOf(s)] < kOctets ? 1 : 0, left[classOf(s)]);
            };
            auto best = pool.begin();
            for (auto s = pool.begin(); s != pool.end(); ++s) {
                best = rank(*s) > rank(*best) ? s : best;
            }
            ++count_[classOf(*best)];
            --left[classOf(*best)];
            sources_.push_back(*best);
            pool.erase(best);
        }
    }
    /// Both halves with as few classes twice as can be.
    [[nodiscard]] PlanChunk chunk(unsigned strips) const {
        std::array<std::vector<PlanSource>, kOctets> halves;
        std::array<std::array<int, kBankClasses>, kOctets> seen{};
        for (const PlanSource& s : sources_) {
            std::size_t half = seen[1][classOf(s)] < seen[0][classOf(s)] ? 1 : 0;
            half = halves[half].size() < kBankClasses ? half : 1 - half;
            ++seen[half][classOf(s)];
            halves[half].push_back(s);
        }
        PlanChunk result;
        result.strips = strips;
        for (std::size_t half = 0; half < kOctets; ++half) {
            std::sort(halves[half].begin(), halves[half].end(), [](const PlanSource& l, const PlanSource& r) {
                return std::pair(l.b, l.a) < std::pair(r.b, r.a);
            });
            std::copy(halves[half].begin(), halves[half].end(),
                      result.sources.begin() + static_cast<std::ptrdiff_t>(half * kBankClasses));
        }
        return result;
    }

  private:
    std::vector<PlanSource> sources_;
    std::array<int, kBankClasses> count_{};
};

}  // namespace

int costOf(const PlanChunk& chunk) {
    return kChunkCost + kStripCost * std::popcount(chunk.strips);
}

int costOf(std::span<const PlanChunk> chunks) {
    return std::accumulate(chunks.begin(), chunks.end(), 0,
                           [](int sum, const PlanChunk& chunk) { return sum + costOf(chunk); });
}

int bankClass(int a, int b) {
    return (a + kClassSkew * b) & (kBankClasses - 1);
}

std::vector<PlanChunk> SourcePacker::pack() {
    std::vector<PlanChunk> chunks;
    for (auto& [strips, pool] : pools_) {
        while (pool.size() >= kPlanChunk) {
            Batch batch;
            batch.take(pool, kPlanChunk);
            chunks.push_back(batch.chunk(strips));
        }
    }
    while (const auto seed = largestPool()) {
        unsigned strips = *seed;
        Batch batch;
        batch.take(pools_[strips], kPlanChunk);
        while (batch.size() < kPlanChunk) {
            const auto next = nearestPool(strips);
            if (!next) {
                break;
            }
            strips |= *next;
            batch.take(pools_[*next], kPlanChunk);
        }
        chunks.push_back(batch.chunk(strips));
    }
    return chunks;
}

/// The strips of those left over that most strips need.
std::optional<unsigned> SourcePacker::largestPool() const {
    std::optional<unsigned> best;
    for (const auto& [strips, pool] : pools_) {
        if (!pool.empty() && (!best || std::popcount(strips) > std::popcount(*best))) {
            best = strips;
        }
    }
    return best;
}

/// Of those left over, the ones that add the fewest strips; among these, the ones that most strips need.
std::optional<unsigned> SourcePacker::nearestPool(unsigned strips) const {
    std::optional<unsigned> best;
    const auto rank = [&](unsigned other) {
        return std::pair(std::popcount(other & ~strips), -std::popcount(other));
    };
    for (const auto& [other, pool] : pools_) {
        if (!pool.empty() && (!best || rank(other) < rank(*best))) {
            best = other;
        }
    }
    return best;
}

}  // namespace tof
