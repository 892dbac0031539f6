// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/joined_events.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "recon/base/large_array.h"
#include "recon/ranks/on_first.h"

namespace tof {

namespace {

/// The columns that simulations fill, of two lists.
template <class Visit>
void forEachColumnOf(const EventList& from, EventList& to, const Visit& visit) {
    visit(from.crystals, to.crystals);
    visit(from.dt_ps, to.dt_ps);
    visit(from.kind, to.kind);
    visit(from.scatters, to.scatters);
    visit(from.energy_keV, to.energy_keV);
    visit(from.time_ms, to.time_ms);
}

void joinSlices(Communicator& ranks, SliceEvents& slices) {
    joinEvents(ranks, slices.events);
    gatherOnFirst(ranks, slices.share);
    gatherOnFirst(ranks, slices.perSlice);
}

}  // namespace

void appendEvents(const EventList& from, std::size_t begin, std::size_t end, EventList& to) {
    forEachColumnOf(from, to, [&](const auto& source, auto& target) {
        if (!source.empty()) {
            target.insert(target.end(), source.begin() + static_cast<std::ptrdiff_t>(begin),
                          source.begin() + static_cast<std::ptrdiff_t>(end));
        }
    });
}

void appendEvents(const EventList& from, std::size_t begin, std::size_t end, std::size_t more,
                  const ThreadPool& pool, EventList& to) {
    constexpr std::size_t kGrain = std::size_t{1} << 16U;
    forEachColumnOf(from, to, [&](const auto& source, auto& target) {
        if (source.empty()) {
            return;
        }
        const std::size_t before = target.size();
        growTo(target, before + end - begin, more, pool);
        pool.forRange(end - begin, kGrain, [&](std::size_t first, std::size_t last) {
            const auto at = source.begin() + static_cast<std::ptrdiff_t>(begin);
            std::copy(at + static_cast<std::ptrdiff_t>(first), at + static_cast<std::ptrdiff_t>(last),
                      target.begin() + static_cast<std::ptrdiff_t>(before + first));
        });
    });
}

EventList inOrderOfTime(const EventList& events) {
    std::vector<std::uint64_t> order(events.size());  // time before place
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = (static_cast<std::uint64_t>(events.time_ms[i]) << 32U) | i;
    }
    std::sort(order.begin(), order.end());
    EventList ordered;
    forEachColumnOf(events, ordered, [&](const auto& source, auto& target) {
        if (!source.empty()) {
            target.reserve(order.size());
            std::transform(order.begin(), order.end(), std::back_inserter(target),
                           [&](std::uint64_t key) { return source[key & 0xffffffffU]; });
        }
    });
    return ordered;
}

void joinEvents(Communicator& ranks, EventList& events) {
    forEachColumnOf(events, events, [&](const auto&, auto& column) { gatherOnFirst(ranks, column); });
}

void joinSlices(Communicator& ranks, SliceBatch& batch) {
    joinSlices(ranks, batch.prompts);
    joinSlices(ranks, batch.delayeds);
    gatherOnFirst(ranks, batch.reports);
}

}  // namespace tof
