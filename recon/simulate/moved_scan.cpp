// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/moved_scan.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "recon/base/error.h"
#include "recon/phantom/moved_phantom.h"
#include "recon/ranks/communicator.h"
#include "recon/simulate/joined_events.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/scan_runs.h"
#include "recon/simulate/stretches.h"

namespace tof {

namespace {

/// One step of the motion and what it gave.
struct Step {
    double begin_ms = 0;
    double end_ms = 0;
    Phantom phantom;     ///< moved
    EventList events{};  ///< on the first rank
    std::uint64_t made = 0;
    double decays = 0;

    [[nodiscard]] double length_ms() const { return end_ms - begin_ms; }
    /// Events in as much time as the step lasts, up to a factor that all steps have.
    [[nodiscard]] double expected() const { return length_ms() * static_cast<double>(made) / decays; }
};

std::vector<Step> stepsOf(const Phantom& phantom, const RigidMotion& motion, double duration_s) {
    std::vector<Step> steps;
    const std::vector<TimedPose>& poses = motion.poses();
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const double begin = std::max(0.0, poses[i].time_ms);
        const double end =
            std::min(1e3 * duration_s, i + 1 < poses.size() ? poses[i + 1].time_ms : motion.end_ms());
        if (end > begin) {
            steps.push_back({begin, end, movedPhantom(phantom, poses[i].pose)});
        }
    }
    return steps;
}

/// Adds so many events to those of a step.
void extend(ScanRuns& runs, Step& step, std::uint64_t events, double duration_s) {
    if (events == 0) {
        return;
    }
    const EventList more = runs.make(step.phantom, events, duration_s);
    step.made += events;
    step.decays += more.decays;
    appendEvents(more, 0, more.size(), step.events);
}

/// Moves the first events of a step to the end of the list, with their times.
void takeFrom(Step& step, std::uint64_t events, EventList& list) {
    appendEvents(step.events, 0, events, list);
    for (std::uint64_t i = 0; i < events; ++i) {
        const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(events);
        list.time_ms.push_back(static_cast<std::uint32_t>(step.begin_ms + share * step.length_ms()));
    }
    list.decays += step.decays * static_cast<double>(events) / static_cast<double>(step.made);
    step.events = EventList();
}

EventList withoutRandoms(ScanRuns& runs, std::vector<Step>& steps, const SimulationSettings& settings,
                         double duration_s, const Communicator& ranks) {
    // How many of its decays a pose records is counted by an eighth of the events, which are kept.
    constexpr double kLookedAt = 0.125;
    constexpr double kLeast = 256;
    const auto events = static_cast<double>(settings.events);
    for (Step& step : steps) {
        const double share = step.length_ms() / (1e3 * duration_s);
        extend(runs, step, static_cast<std::uint64_t>(std::max(kLeast, kLookedAt * share * events)),
               settings.duration_s);
    }
    double all = 0;
    for (const Step& step : steps) {
        all += step.expected();
    }
    EventList list;
    double before = 0;
    for (Step& step : steps) {
        const double upTo = before + step.expected() / all;
        const auto number =
            static_cast<std::uint64_t>(std::llround(events * upTo) - std::llround(events * before));
        before = upTo;
        extend(runs, step, number - std::min(number, step.made), settings.duration_s);
        if (ranks.first()) {
            takeFrom(step, number, list);
        }
    }
    return list;
}

/// Every pose as long as it lasts, at one activity.
std::vector<Stretch> stretchesOf(const std::vector<Step>& steps) {
    std::vector<Stretch> stretches;
    stretches.reserve(steps.size());
    for (const Step& step : steps) {
        stretches.push_back({step.phantom, 1e-3 * step.length_ms(), 1, [&step](double share) {
                                 return 1e-3 * (step.begin_ms + share * step.length_ms());
                             }});
    }
    return stretches;
}

}  // namespace

EventList simulateMoved(const Scanner& scanner, const Phantom& phantom, const SimulationSettings& settings,
                        const RigidMotion& motion, const ThreadPool& pool, const SimulationHooks& hooks,
                        SimulationReport* report) {
    const std::string what = "a phantom that moves";
    if (motion.rule() != PoseBetween::Hold) {
        throw WrongUse("a phantom moves in steps; leave interpolation to 'bin --motion-between'");
    }
    const double duration_s = settings.duration_s > 0 ? settings.duration_s : 1e-3 * motion.end_ms();
    motion.requireCover(duration_s, "the scan");
    std::vector<Step> steps = stepsOf(phantom, motion, duration_s);
    SimulationReport total;
    EventList list;
    if (isInTime(scanner, settings)) {
        list = simulateStretches(what, scanner, stretchesOf(steps), settings, pool, hooks, total);
    } else {
        ScanRuns runs(what, scanner, settings, pool, hooks);
        list = withoutRandoms(runs, steps, settings, duration_s, *hooks.ranks);
        total = runs.total();
    }
    const std::string description = phantom.description.empty() ? phantom.name : phantom.description;
    finishScan(scanner, settings, description, duration_s, total, hooks, list);
    if (report != nullptr) {
        *report = total;
    }
    return list;
}

}  // namespace tof
