// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace tof {

/// A tap in the plane of a plan: along, across, axial.
struct PlanTap {
    int a = 0;
    int b = 0;
    int z = 0;
};

inline constexpr int kPlanZeros = 8;  ///< at either end of a table row, in different banks

/// What a plan multiplies by: every tap, or of an untilted kernel that reaches one plane up and down its
/// in-plane part, the accumulators being filtered along z.
enum class PlanForm { AllTaps, Filtered };

/// Where the values of a table row go: those that a warp gathers at once into different banks of shared
/// memory, as far as that goes. A tap and its mirror image lie opposite each other, `taps` - 1 positions in
/// all apart from the first; kPlanZeros zeros precede and follow.
struct PlanTable {
    std::vector<int> position;  ///< place of every tap; -1 for taps with z != 0 of the filtered form
    int taps = 0;
    int rowStride = 0;
};
[[nodiscard]] PlanTable planTable(std::span<const PlanTap> taps, PlanForm form);

/// Zeros stand before and after the taps of a row: the bank-wise best of the latter for a lane without a
/// weight, when its neighbours look up `positions` (negative: none).
[[nodiscard]] int freestZero(int taps, std::span<const int> positions);

}  // namespace tof
