// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/made_events.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "recon/ranks/on_first.h"
#include "recon/ranks/rank_range.h"
#include "recon/simulate/joined_events.h"

namespace tof {

namespace {

/// What ranks make before the first one takes it; one alone makes everything at once.
struct Round {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    RankRange mine{};  ///< share of this process, from `first`
};

Round roundAt(std::uint64_t first, std::uint64_t count, const Communicator& ranks) {
    const std::uint64_t most =
        ranks.alone() ? count : kEventsPerRound * static_cast<std::uint64_t>(ranks.size());
    const std::uint64_t size = std::min(most, count - first);
    return {first, first + size, rangeOf(size, ranks.rank(), ranks.size())};
}

/// The first rank's become those of all.
void joinRound(Communicator& ranks, EventList& events, SimulationReport& report) {
    joinEvents(ranks, events);
    std::vector<SimulationReport> reports{report};
    gatherOnFirst(ranks, reports);
    report = SimulationReport();
    for (const SimulationReport& one : reports) {
        report.add(one);
    }
}

}  // namespace

EventList makeEvents(std::uint64_t count, const EventMaker& maker, const ThreadPool& pool,
                     const SimulationHooks& hooks, SimulationReport& total) {
    Communicator& ranks = *hooks.ranks;
    const auto processes = static_cast<std::uint64_t>(ranks.size());
    EventList all;
    std::mutex mutex;
    for (Round round = roundAt(0, count, ranks); round.first < count;
         round = roundAt(round.end, count, ranks)) {
        EventList events;
        maker.resize(round.mine.size(), events);
        SimulationReport report;
        std::uint64_t made = 0;
        pool.forRange(round.mine.size(), maker.perChunk, [&](std::size_t begin, std::size_t end) {
            SimulationReport part;
            for (std::size_t place = begin; place < end; ++place) {
                const std::uint64_t index = round.first + round.mine.begin + place;
                maker.make(static_cast<std::size_t>(index), place, events, part);
            }
            const std::lock_guard lock(mutex);
            report.add(part);
            made += end - begin;
            if (hooks.progress) {  // the others are about as far
                hooks.progress(std::min(round.end, round.first + processes * made));
            }
        });
        joinRound(ranks, events, report);
        total.add(report);
        if (all.size() == 0) {
            std::swap(all, events);
        } else {
            appendEvents(events, 0, events.size(), all);
        }
    }
    all.decays = total.decays();
    return all;
}

}  // namespace tof
