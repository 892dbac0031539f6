// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/event_order.h"

#include <algorithm>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/systems/lines/event_key.h"

namespace tof {

namespace {

struct Placed {
    std::uint32_t key = 0;
    std::uint32_t event = 0;
};

constexpr int kDigitBits = 11;

/// By the digit of the key that begins at bit `shift`; equal ones stay as they come.
void sortByDigit(const std::vector<Placed>& in, int shift, std::vector<Placed>& out) {
    constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
    const auto digitOf = [shift](const Placed& one) { return (one.key >> shift) % kDigits; };
    std::vector<std::size_t> places(kDigits + 1);
    for (const Placed& one : in) {
        ++places[digitOf(one) + 1];
    }
    std::partial_sum(places.begin(), places.end(), places.begin());
    for (const Placed& one : in) {
        out[places[digitOf(one)]++] = one;
    }
}

}  // namespace

std::vector<std::uint32_t> nearbyOrder(const LineEvents& events, std::size_t first, std::size_t count) {
    const EventKey keys;
    const bool timed = events.tof.count > 0;
    std::vector<Placed> placed(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto [one, two] = events.pairs[first + i];
        const double late_mm = timed ? static_cast<double>(events.dt_ps[first + i]) * kMmPerPs : 0;
        placed[i] = {keys.of(events.points[one], events.points[two], late_mm), static_cast<std::uint32_t>(i)};
    }
    std::vector<Placed> other(count);
    for (int shift = 0; shift < EventKey::kKeyBits; shift += kDigitBits) {
        sortByDigit(placed, shift, other);
        placed.swap(other);
    }
    std::vector<std::uint32_t> order(count);
    std::transform(placed.begin(), placed.end(), order.begin(), [](const Placed& one) { return one.event; });
    return order;
}

}  // namespace tof
