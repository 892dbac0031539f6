// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/source_packer.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>

namespace tof {

namespace {

/// With 1 neighbours along x and along y are of different classes, so that the tile is filled without
/// conflict, too, whichever way lines run.
constexpr int kClassSkew = 1;
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
    /// That need any of its sources.
    [[nodiscard]] unsigned strips() const { return strips_; }
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
            strips_ |= best->strips;
            sources_.push_back(*best);
            pool.erase(best);
        }
    }
    /// Gives a source of every class that is here too often to one of `others` that has room for the class,
    /// for one of a class that this has room for; no chunk gets a source that more strips need than its own.
    void exchange(std::vector<Batch>& others) {
        for (std::size_t tooMany = 0; tooMany < count_.size(); ++tooMany) {
            for (bool found = true; found && count_[tooMany] > kOctets;) {
                found = std::any_of(others.begin(), others.end(), [&](Batch& other) {
                    return other.count_[tooMany] < kOctets && giveOne(tooMany, other);
                });
            }
        }
    }
    /// Both halves with as few classes twice as can be. Of each the first four sources and the last take
    /// turns, as weights of every second source are gathered at once: those of neighbours are neighbours,
    /// too.
    [[nodiscard]] PlanChunk chunk() const {
        std::array<std::vector<PlanSource>, kOctets> halves;
        std::array<std::array<int, kBankClasses>, kOctets> seen{};
        for (const PlanSource& s : sources_) {
            std::size_t half = seen[1][classOf(s)] < seen[0][classOf(s)] ? 1 : 0;
            half = halves[half].size() < kBankClasses ? half : 1 - half;
            ++seen[half][classOf(s)];
            halves[half].push_back(s);
        }
        PlanChunk result;
        result.strips = strips_;
        for (std::size_t half = 0; half < kOctets; ++half) {
            std::sort(halves[half].begin(), halves[half].end(), [](const PlanSource& l, const PlanSource& r) {
                return std::pair(l.b, l.a) < std::pair(r.b, r.a);
            });
            constexpr std::size_t kTogether = kBankClasses / 2;
            for (std::size_t i = 0; i < halves[half].size(); ++i) {
                const std::size_t place = i < kTogether ? 2 * i : 2 * (i - kTogether) + 1;
                result.sources[half * kBankClasses + place] = halves[half][i];
            }
        }
        return result;
    }

  private:
    /// One of a class to another for one of a class that is missing here.
    bool giveOne(std::size_t given, Batch& other) {
        for (PlanSource& mine : sources_) {
            if (classOf(mine) != given || (mine.strips & ~other.strips_) != 0) {
                continue;
            }
            for (PlanSource& its : other.sources_) {
                const std::size_t taken = classOf(its);
                if (taken != given && count_[taken] < kOctets && (its.strips & ~strips_) == 0) {
                    --count_[given];
                    ++other.count_[given];
                    ++count_[taken];
                    --other.count_[taken];
                    std::swap(mine, its);
                    return true;
                }
            }
        }
        return false;
    }

    std::vector<PlanSource> sources_;
    std::array<int, kBankClasses> count_{};
    unsigned strips_ = 0;
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
    std::vector<Batch> batches;
    for (auto& [strips, pool] : pools_) {
        while (pool.size() >= kPlanChunk) {
            batches.emplace_back().take(pool, kPlanChunk);
        }
    }
    while (const auto seed = largestPool()) {
        Batch& batch = batches.emplace_back();
        batch.take(pools_[*seed], kPlanChunk);
        while (batch.size() < kPlanChunk) {
            const auto next = nearestPool(batch.strips());
            if (!next) {
                break;
            }
            batch.take(pools_[*next], kPlanChunk);
        }
    }
    for (Batch& batch : batches) {
        batch.exchange(batches);
    }
    std::vector<PlanChunk> chunks;
    chunks.reserve(batches.size());
    std::transform(batches.begin(), batches.end(), std::back_inserter(chunks),
                   [](const Batch& batch) { return batch.chunk(); });
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

/// Among those left over, the ones that add the fewest strips; among these, the ones that most strips need.
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
