// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/moved_scan.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "recon/base/error.h"
#include "recon/phantom/moved_phantom.h"
#include "recon/ranks/communicator.h"
#include "recon/simulate/joined_events.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

/// One step of the motion and what it gave.
struct Step {
    double begin_ms = 0;
    double end_ms = 0;
    Phantom phantom;  ///< moved
    EventList events{};
    double decays = 0;

    [[nodiscard]] double length_ms() const { return end_ms - begin_ms; }
    /// Events in as much time as the step lasts, up to a factor that all steps have.
    [[nodiscard]] double expected() const {
        return length_ms() * static_cast<double>(events.size()) / decays;
    }
};

void requireSteps(const Scanner& scanner, const SimulationSettings& settings, const RigidMotion& motion,
                  const SimulationHooks& hooks) {
    const Physics physics = settings.physics.value_or(Physics::of(scanner));
    if ((scanner.detection && physics.randoms) || hooks.delayed != nullptr || hooks.singles != nullptr ||
        hooks.slices) {
        throw WrongUse(
            "a phantom that moves is simulated without randoms and singles; leave no-randoms in --physics, "
            "and --delayeds, --singles and other engines out");
    }
    if (motion.rule() != PoseBetween::Hold) {
        throw WrongUse("a phantom moves in steps; leave interpolation to 'bin --motion-between'");
    }
    if (!hooks.ranks->alone()) {
        throw WrongUse("a phantom that moves is simulated in one process; start it without mpirun");
    }
}

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

/// A seed for each run of a step: scans of neighbouring seeds share no numbers.
std::uint64_t seedOf(std::uint64_t seed, std::uint64_t run) {
    RandomStream words(seed, RandomUse::Steps, run);
    const std::uint64_t high = words.word();
    return (high << 32U) | words.word();
}

/// Makes the events of steps, which are added to theirs.
class StepMaker {
  public:
    StepMaker(const Scanner& scanner, const SimulationSettings& settings, const ThreadPool& pool,
              const SimulationHooks& hooks)
        : scanner_(scanner), settings_(settings), pool_(pool), hooks_(hooks) {}

    void add(Step& step, std::uint64_t events) {
        if (events == 0) {
            return;
        }
        SimulationSettings own = settings_;
        own.events = events;
        own.seed = seedOf(settings_.seed, runs_++);
        SimulationHooks told;
        told.progress = [this](std::uint64_t made) {
            if (hooks_.progress) {
                hooks_.progress(std::min(settings_.events, made_ + made));
            }
        };
        SimulationReport report;
        EventList more = simulateWith(scanner_, step.phantom, own, pool_, told, &report);
        made_ += events;
        total_.add(report);
        total_.sphereShare = report.sphereShare;
        step.decays += more.decays;
        if (step.events.size() == 0) {
            step.events = std::move(more);
        } else {
            appendEvents(more, 0, more.size(), step.events);
        }
    }
    [[nodiscard]] const SimulationReport& total() const { return total_; }

  private:
    const Scanner& scanner_;
    const SimulationSettings& settings_;
    const ThreadPool& pool_;
    const SimulationHooks& hooks_;
    SimulationReport total_;
    std::uint64_t made_ = 0;
    std::uint64_t runs_ = 0;
};

/// Moves the first events of a step to the end of the list, with their times.
void takeFrom(Step& step, std::uint64_t events, EventList& list) {
    appendEvents(step.events, 0, events, list);
    for (std::uint64_t i = 0; i < events; ++i) {
        const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(events);
        list.time_ms.push_back(static_cast<std::uint32_t>(step.begin_ms + share * step.length_ms()));
    }
    list.decays += step.decays * static_cast<double>(events) / static_cast<double>(step.events.size());
    step.events = EventList();
}

}  // namespace

EventList simulateMoved(const Scanner& scanner, const Phantom& phantom, const SimulationSettings& settings,
                        const RigidMotion& motion, const ThreadPool& pool, const SimulationHooks& hooks,
                        SimulationReport* report) {
    requireSteps(scanner, settings, motion, hooks);
    const double duration_s = settings.duration_s > 0 ? settings.duration_s : 1e-3 * motion.end_ms();
    motion.requireCover(duration_s, "the scan");
    std::vector<Step> steps = stepsOf(phantom, motion, duration_s);
    StepMaker maker(scanner, settings, pool, hooks);
    // How many of its decays a pose records is counted by an eighth of the events, which are kept.
    constexpr double kLookedAt = 0.125;
    constexpr double kLeast = 256;
    const auto events = static_cast<double>(settings.events);
    for (Step& step : steps) {
        const double share = step.length_ms() / (1e3 * duration_s);
        maker.add(step, static_cast<std::uint64_t>(std::max(kLeast, kLookedAt * share * events)));
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
        maker.add(step, number - std::min<std::uint64_t>(number, step.events.size()));
        takeFrom(step, number, list);
    }
    list.scannerJson = scanner.toJson();
    list.phantom = phantom.description.empty() ? phantom.name : phantom.description;
    list.seed = settings.seed;
    list.sphereShare = maker.total().sphereShare;
    list.duration_s = duration_s;
    if (hooks.take) {
        hooks.take(list);
    }
    if (report != nullptr) {
        *report = maker.total();
    }
    return list;
}

}  // namespace tof
