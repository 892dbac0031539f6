// SPDX-License-Identifier: Apache-2.0
// How the source pixels of a group are dealt out to the chunks of a TilePlan.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace tof {

inline constexpr int kPlanChunk = 16;  ///< sources per chunk: the depth of a matrix instruction

/// A source pixel relative to its group, and the strips (bits) that need it; needed by none it fills a chunk
/// up.
struct PlanSource {
    int a = 0;
    int b = 0;
    unsigned strips = 0;
    [[nodiscard]] bool real() const { return strips != 0; }
};

/// Sources that are multiplied by one matrix instruction, and the strips (bits) that need any of them.
struct PlanChunk {
    std::array<PlanSource, kPlanChunk> sources{};
    unsigned strips = 0;
};
/// What chunks cost their warp; roughly clocks.
[[nodiscard]] int costOf(const PlanChunk& chunk);
[[nodiscard]] int costOf(std::span<const PlanChunk> chunks);

/// Eight columns of different classes are read from shared memory without conflict.
inline constexpr int kBankClasses = 8;
/// The class of a pixel's column. A shift of a group shifts all classes alike.
[[nodiscard]] int bankClass(int a, int b);

/// Deals sources out to chunks.
class SourcePacker {
  public:
    /// A source, and the strips that need it.
    void add(int a, int b, unsigned strips) { pools_[strips].push_back({a, b, strips}); }
    /// Sources of equal strips share chunks; what is left over joins those that ask for the fewest more. Then
    /// chunks exchange sources, so that as few columns of a class as can be meet in one.
    [[nodiscard]] std::vector<PlanChunk> pack();

  private:
    [[nodiscard]] std::optional<unsigned> largestPool() const;
    [[nodiscard]] std::optional<unsigned> nearestPool(unsigned strips) const;

    std::map<unsigned, std::vector<PlanSource>> pools_;
};

}  // namespace tof
