// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/course_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/base/sum.h"
#include "recon/ranks/communicator.h"
#include "recon/simulate/course_stretches.h"
#include "recon/simulate/joined_events.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/random_stream.h"
#include "recon/simulate/scan_runs.h"
#include "recon/simulate/stretches.h"

namespace tof {

namespace {

/// A part in one state: emission points of its events are alike, whatever the time.
struct TimedSource {
    Phantom phantom;
    const ActivityCurve* curve = nullptr;
    std::vector<std::uint32_t> steps{};  ///< when it is in that state
    std::vector<double> upTo{};          ///< integrals of the curve up to the end of each of them
    double emissions = 0;                ///< relative, over the scan
    double decays = 0;                   ///< simulated
    std::uint64_t made = 0;              ///< events
    EventList events{};                  ///< on the first rank

    /// Events of as many decays as the source has, up to a factor that all sources have.
    [[nodiscard]] double expected() const {
        return made > 0 ? emissions * static_cast<double>(made) / decays : emissions;
    }
};

std::vector<TimedSource> sourcesOf(const PhantomCourse& course) {
    std::vector<TimedSource> sources;
    for (std::size_t part = 0; part < course.parts().size(); ++part) {
        const ActivityCurve& curve = course.parts()[part].emitted;
        std::vector<TimedSource> states(course.states());
        for (std::size_t step = 0; step < course.steps().count; ++step) {
            TimedSource& state = states[course.stateOf(step)];
            const double in = curve.integral(course.steps().edge_s(step), course.steps().edge_s(step + 1));
            state.steps.push_back(static_cast<std::uint32_t>(step));
            state.upTo.push_back((state.upTo.empty() ? 0 : state.upTo.back()) + in);
        }
        for (std::size_t i = 0; i < states.size(); ++i) {
            states[i].phantom = course.phantomOf(part, i);
            states[i].curve = &curve;
            states[i].emissions = states[i].upTo.back() * emissionsOf(states[i].phantom);
            if (states[i].emissions > 0) {
                sources.push_back(std::move(states[i]));
            }
        }
    }
    return sources;
}

/// How many of so many events each source has.
std::vector<std::uint64_t> numbersOf(const std::vector<TimedSource>& sources, std::uint64_t events) {
    std::vector<double> expected;
    std::transform(sources.begin(), sources.end(), std::back_inserter(expected),
                   [](const TimedSource& source) { return source.expected(); });
    const double all = sumOf(expected);
    std::vector<std::uint64_t> numbers;
    double sum = 0;
    std::uint64_t before = 0;
    for (const double one : expected) {
        sum += one;
        const auto upTo = static_cast<std::uint64_t>(std::llround(static_cast<double>(events) * sum / all));
        numbers.push_back(upTo - before);
        before = upTo;
    }
    numbers.back() += events - before;
    return numbers;
}

/// Adds to the source's events until there are so many.
void extend(ScanRuns& runs, TimedSource& source, std::uint64_t events) {
    if (events <= source.made) {
        return;
    }
    const EventList more = runs.make(source.phantom, events - source.made, 1);
    source.made = events;
    source.decays += more.decays;
    appendEvents(more, 0, more.size(), source.events);
}

/// Counts the events of a source from one on as surplus.
void drop(ScanRuns& runs, const TimedSource& source, std::uint64_t first) {
    SimulationReport& total = runs.total();
    for (std::uint64_t i = first; i < source.events.size(); ++i) {
        const bool scattered = !source.events.kind.empty() && source.events.kind[i] == EventKind::Scattered;
        total.scattered -= scattered ? 1 : 0;
        total.trues -= scattered ? 0 : 1;
        ++total.surplus;
    }
}

/// Adds the first events of a source to the list, with times.
void takeFrom(TimedSource& source, std::uint64_t events, std::uint64_t seed, const ThreadPool& pool,
              EventList& list) {
    const std::size_t first = list.time_ms.size();
    appendEvents(source.events, 0, events, list);
    list.time_ms.resize(first + events);
    constexpr std::size_t kChunk = 4096;
    pool.forRange(events, kChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            RandomStream random(seed, RandomUse::Steps, i);
            const double until = random.uniform() * source.upTo.back();
            const auto found = std::min(std::upper_bound(source.upTo.begin(), source.upTo.end(), until),
                                        source.upTo.end() - 1);
            const std::uint32_t step = source.steps[static_cast<std::size_t>(found - source.upTo.begin())];
            // No event lies at the very end of the scan, where no frame is.
            const double last_s = source.curve->steps().edge_s(source.curve->steps().count) - 1e-3;
            const double time_s = std::min(source.curve->timeIn(step, random.uniform()), last_s);
            list.time_ms[first + i] = static_cast<std::uint32_t>(1e3 * std::max(0.0, time_s));
        }
    });
    list.decays += source.decays * static_cast<double>(events) / static_cast<double>(source.made);
    source.events = EventList();
}

EventList withoutRandoms(ScanRuns& runs, std::vector<TimedSource>& sources,
                         const SimulationSettings& settings, const ThreadPool& pool,
                         const Communicator& ranks) {
    // How many of its decays a source records is counted by an eighth of its events, and then by all: what is
    // left of the error is the noise that counts have anyway.
    constexpr std::uint64_t kLeast = 256;
    std::vector<std::uint64_t> numbers;
    for (const std::uint64_t part : {8U, 1U, 1U}) {
        numbers = numbersOf(sources, settings.events);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            extend(runs, sources[i], part > 1 ? std::max(kLeast, numbers[i] / part) : numbers[i]);
        }
    }
    EventList unordered;
    for (std::size_t i = 0; i < sources.size() && ranks.first(); ++i) {
        drop(runs, sources[i], numbers[i]);
        takeFrom(sources[i], numbers[i], runs.seed(), pool, unordered);
    }
    EventList list = inOrderOfTime(unordered);
    list.decays = unordered.decays;
    return list;
}

}  // namespace

EventList simulateCourse(const Scanner& scanner, const Phantom& phantom, const PhantomCourse& course,
                         const SimulationSettings& settings, const ThreadPool& pool,
                         const SimulationHooks& hooks, SimulationReport* report) {
    const std::string what = fmt::format("phantom '{}' has a course in time and", phantom.name);
    if (settings.duration_s > 0) {
        throw WrongUse("phantom '{}' says how long its scan is; leave --duration out", phantom.name);
    }
    std::vector<TimedSource> sources = sourcesOf(course);
    if (sources.empty()) {
        throw WrongUse("phantom '{}' emits nothing; give a shape activity or a curve above 0", phantom.name);
    }
    SimulationReport total;
    EventList list;
    if (isInTime(scanner, settings)) {
        list = simulateStretches(what, scanner, stretchesOf(course), settings, pool, hooks, total);
    } else {
        ScanRuns runs(what, scanner, settings, pool, hooks);
        list = withoutRandoms(runs, sources, settings, pool, *hooks.ranks);
        total = runs.total();
    }
    finishScan(scanner, settings, withDecays(phantom.description, list.decays), course.duration_s(), total,
               hooks, list);
    if (report != nullptr) {
        *report = total;
    }
    return list;
}

}  // namespace tof
