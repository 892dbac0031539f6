// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/plan_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace tof {

namespace {

constexpr int kBanks = 32;
/// The bank of a tap grows by these per pixel across and per plane, that of a row of the table by the last:
/// found by counting the conflicts of all views of 40 x 3.
constexpr int kBankAcross = 24;
constexpr int kBankAxial = 8;
constexpr int kBankRow = 10;

}  // namespace

PlanTable planTable(std::span<const PlanTap> taps, PlanForm form) {
    // Positions are counted from that of the tap at 0, so that mirror images differ in sign only.
    PlanTable table;
    std::map<std::array<int, 3>, std::size_t> tapAt;
    for (std::size_t t = 0; t < taps.size(); ++t) {
        if (form == PlanForm::AllTaps || taps[t].z == 0) {
            tapAt[{taps[t].z, taps[t].b, taps[t].a}] = t;
        }
    }
    table.position.assign(taps.size(), -1);
    std::vector<int> offset(taps.size(), 0);
    std::array<int, kBanks> next{};  // the first free offset above 0 of every bank
    std::iota(next.begin(), next.end(), 0);
    next[0] = kBanks;
    int largest = 0;
    for (const auto& [at, t] : tapAt) {
        const auto mirror = tapAt.find({-at[0], -at[1], -at[2]});
        if (!(std::array{0, 0, 0} < at) || mirror == tapAt.end()) {
            continue;
        }
        const int bank = (at[2] + kBankAcross * at[1] + kBankAxial * at[0]) & (kBanks - 1);
        int& above = next[static_cast<std::size_t>(bank)];
        int& below = next[static_cast<std::size_t>((kBanks - bank) % kBanks)];
        const int sign = above <= below ? 1 : -1;
        int& free = sign > 0 ? above : below;
        offset[t] = sign * free;
        offset[mirror->second] = -offset[t];
        largest = std::max(largest, free);
        free += kBanks;
    }
    for (const auto& [at, t] : tapAt) {
        table.position[t] = largest + offset[t];
    }
    table.taps = 2 * largest + 1;
    table.rowStride = table.taps + 2 * kPlanZeros;
    table.rowStride += (kBankRow - table.rowStride % kBanks + kBanks) % kBanks;
    return table;
}

int freestZero(int taps, std::span<const int> positions) {
    std::array<int, kBanks> used{};
    for (const int position : positions) {
        if (position >= 0) {
            ++used[static_cast<std::size_t>(position % kBanks)];
        }
    }
    // The lanes need two or three rows of the table.
    const auto usedBy = [&](int position) {
        return used[static_cast<std::size_t>(position % kBanks)] +
               used[static_cast<std::size_t>((position + kBankRow) % kBanks)];
    };
    int best = taps;
    for (int zero = taps; zero < taps + kPlanZeros; ++zero) {
        best = usedBy(zero) < usedBy(best) ? zero : best;
    }
    return best;
}

}  // namespace tof
